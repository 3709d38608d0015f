//! I-11: parameters, lifetimes, where clauses, defaults, raw identifiers, macros and private types.
#![allow(dead_code)]

use k8s_openapi::api::core::v1::{ConfigMap, PodSpec, Secret};
use k8s_openapi::api::rbac::v1::Role;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::marker::PhantomData;
use ui_tests::{Config, Greeter};
use urutau_core::{Identity, Member, OwnedResource, OwnedSet, Part, RbacRules, RuleSet};

/// A lifetime and a default.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{text}")]
#[set(data["text"] = "{text}", data["count"] = "{count}")]
pub struct Texts<'a, T = u8>
where
    T: Display,
{
    text: &'a str,
    count: T,
}

/// A constant parameter, and one that is only marked.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["size"] = "{size}", immutable = const { N > 1 })]
pub struct Sized_<const N: usize, T> {
    #[at(data["list"])]
    list: String,
    size: usize,
    marker: PhantomData<T>,
}

/// A part of a parameter, in a struct of another.
#[derive(Part)]
#[part(PodSpec)]
struct Pods<T: Display> {
    #[at(priority_class_name)]
    class: Option<String>,
    #[at(hostname)]
    host: String,
    marker: PhantomData<T>,
}

#[derive(OwnedResource)]
#[owned(k8s_openapi::api::apps::v1::Deployment, name = "{owner}-{size}")]
struct Deployed<P: Part<PodSpec>> {
    #[part(spec.template.spec)]
    pod: Option<P>,
    #[at(spec.replicas)]
    size: i32,
}

/// A role of a rule set that is not known here.
#[derive(OwnedResource)]
#[owned(Role, grants(R))]
struct Grants<R> {
    rules: R,
}

/// A rule set of a parameter.
#[derive(RbacRules)]
#[rule(Secret, verbs(get), names("{of}"))]
struct Reads<T: Display> {
    of: T,
}

/// A set of a private one, with a bound that nobody said.
#[derive(OwnedSet)]
pub struct Both<M, R: RuleSet> {
    config: Config,
    #[member(name = "{name}-more")]
    more: Vec<Private<M>>,
    #[member(name = "{name}-id", after(config))]
    identity: Identity<R>,
    marker: PhantomData<(M, R)>,
}

#[derive(OwnedSet)]
struct Private<M> {
    only: M,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct OfLifetime<'a> {
    texts: Option<Texts<'a>>,
    list: Vec<Deployed<Pods<&'a str>>>,
    grants: Grants<Reads<&'static str>>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
struct Whole {
    both: Both<Texts<'static>, Reads<String>>,
    #[member(name = "{owner}-sized")]
    sized: Option<Sized_<4, Config>>,
}

#[derive(RbacRules)]
#[rbac(manages(Whole, OfLifetime<'static>))]
#[rule(Secret, verbs(get), to_grant)]
struct OperatorRules;

/// Raw identifiers, as fields, blanks and steps.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{type}-{match}")]
#[set(r#data["x"] = "{type}")]
struct Raw {
    r#type: String,
    r#match: u8,
    #[at(data["fn"])]
    r#fn: String,
}

macro_rules! made {
    ($name:ident, $kind:ty, $field:ident : $ty:ty, $key:literal, $value:expr) => {
        #[derive(OwnedResource)]
        #[owned($kind)]
        #[set(data[$key] = $value)]
        struct $name {
            #[at(data["own"])]
            $field: $ty,
            #[at(data["other"])]
            other: String,
        }
        #[derive(OwnedSet)]
        #[owned_set(owner = Greeter)]
        struct Set {
            $field: $name,
            #[member(name = "{owner}-2", after($field))]
            other: $name,
        }
    };
}
mod by_macro {
    use super::*;
    made!(Made, ConfigMap, own: String, "k", "v");

    pub(super) fn entries() -> usize {
        let made = || Made { own: "o".to_owned(), other: "p".to_owned() };
        let set = Set { own: made(), other: made() };
        set.plan("shop", "team").map_or(0, |plan| plan.entries.len())
    }
}

/// Serialised by its author.
#[derive(Serialize)]
#[serde(transparent)]
struct Own(BTreeMap<String, String>);
impl urutau_core::Write<BTreeMap<String, String>> for &Own {
    fn json(self) -> Result<serde_json::Value, serde_json::Error> {
        serde_json::to_value(&self.0)
    }
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct OfOwnType {
    #[at(data)]
    own: Own,
}

#[test]
fn parameters_are_no_hindrance() {
    let texts = Texts { text: "a", count: 1 };
    let set = OfLifetime {
        texts: Some(texts),
        list: vec![Deployed { pod: Some(Pods { class: None, host: "h".to_owned(), marker: PhantomData }), size: 2 }],
        grants: Grants { rules: Reads { of: "x" } },
    };
    assert_eq!(set.plan("shop", "team").map(|plan| plan.entries.len()), Ok(3));
    let config = Config { data: BTreeMap::new() };
    let whole = Whole {
        both: Both {
            config,
            more: vec![Private { only: Texts { text: "b", count: 2 } }],
            identity: Identity::new(Reads { of: "s".to_owned() }),
            marker: PhantomData,
        },
        sized: None,
    };
    let plan = whole.plan("shop", "team");
    assert!(plan.is_ok(), "{plan:?}");
    assert_eq!(by_macro::entries(), 2);
    let _ = OperatorRules::RULES;
}

#[test]
fn types_stand_within_functions() -> Result<(), urutau_core::Invalid> {
    const KEY: &str = "k";
    #[derive(OwnedResource)]
    #[owned(ConfigMap)]
    #[set(data[KEY] = "v")]
    struct Local;
    #[derive(OwnedSet)]
    #[owned_set(owner = Greeter)]
    struct LocalSet {
        local: Local,
    }
    fn generic<M: Member>(member: &M) -> &'static urutau_core::node::Node {
        let _ = member;
        M::NODE
    }
    assert!(matches!(generic(&Local), urutau_core::node::Node::Object(_)));
    assert_eq!(LocalSet { local: Local }.plan("shop", "team")?.entries.len(), 1);
    Ok(())
}
