//! Every derive, under the strictest lints an author may have.
#![deny(warnings)]
#![deny(missing_docs, unused_qualifications, single_use_lifetimes, missing_debug_implementations)]
#![deny(trivial_casts, unused_lifetimes, redundant_lifetimes, let_underscore_drop, elided_lifetimes_in_paths)]
#![forbid(unsafe_code)]
#![allow(dead_code)] // Nothing here is for others to use.
#![allow(clippy::duplicated_attributes)] // Two rules with the same verbs are no slip.

use k8s_openapi::api::core::v1::{ConfigMap, PodSpec, Secret};
use k8s_openapi::api::{apps::v1::Deployment, rbac::v1::Role};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use urutau_core::{Identity, Kind, OwnedResource, OwnedSet, Part, RbacRules};

/// An owner.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "lints.example.com", version = "v1", kind = "Strict", namespaced)]
pub struct StrictSpec {
    /// A value.
    pub value: String,
}

/// A part.
#[derive(Debug, Part)]
#[part(PodSpec)]
#[set(host_network = true)]
pub struct OnHost;

/// An object with everything in it.
#[derive(Debug, OwnedResource)]
#[owned(Deployment, name = "{owner}-{tier}", ready)]
#[set(spec { replicas = 1, template.metadata.labels["tier"] = "{tier}", paused = self.paused })]
pub struct Server {
    /// A part.
    #[part(spec.template.spec)]
    pub pod: OnHost,
    /// A field.
    #[at(spec.selector.match_labels, spec.template.metadata.annotations)]
    pub labels: Option<BTreeMap<String, String>>,
    /// In a string.
    pub tier: String,
    /// In an expression.
    pub paused: bool,
}

/// Nothing in it.
#[derive(Debug, OwnedResource)]
#[owned(ConfigMap)]
pub struct Empty;

/// A rule set.
#[derive(Debug, RbacRules)]
#[rule(Secret, verbs(get), names("{of}"))]
pub struct Rules {
    /// In a name.
    pub of: String,
    /// When there are more.
    #[rule(Secret, verbs(list))]
    pub more: bool,
}

/// A role.
#[derive(Debug, OwnedResource)]
#[owned(Role, grants(Rules))]
pub struct Granted {
    /// What it grants.
    pub rules: Rules,
}

/// A set.
#[derive(Debug, OwnedSet)]
#[owned_set(owner = Strict, name = "{owner}-x", labels("a" = "{owner}"), reads(Secret))]
pub struct Objects {
    /// An object.
    pub server: Vec<Server>,
    /// Another.
    #[member(after(server))]
    pub empty: Option<Empty>,
    /// A role.
    #[member(name = "{owner}-role")]
    pub granted: Granted,
}

/// A set of a parameter.
#[derive(Debug, OwnedSet)]
pub struct Pair<R: urutau_core::RuleSet> {
    /// One.
    pub one: Empty,
    /// And another.
    #[member(name = "{name}-two")]
    pub two: Option<GrantedTo<R>>,
}

/// A role of a parameter.
#[derive(Debug, OwnedResource)]
#[owned(Role, grants(R))]
pub struct GrantedTo<R> {
    /// What it grants.
    pub rules: R,
}

/// A nested set.
#[derive(Debug, OwnedSet)]
#[owned_set(owner = Strict)]
pub struct Nested {
    /// Of the core.
    pub pair: Pair<Rules>,
}

/// What the operator holds.
#[derive(Debug, RbacRules)]
#[rbac(manages(Objects, Nested))]
#[rule(Secret, verbs(get), to_grant)]
#[rule(Secret, verbs(list), to_grant)]
pub struct OperatorRules;

#[test]
fn nothing_is_warned_of() {
    assert_eq!(<OperatorRules as urutau_core::RuleSet>::NAME, "OperatorRules");
    let _: fn(Rules) -> Identity<Rules> = Identity::new;
}
