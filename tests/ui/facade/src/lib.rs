//! I-01: every derive in a crate that has the framework under another name, and nothing else.

use fw::k8s_openapi::api::core::v1::{ConfigMap, PodSpec, Secret};
use fw::k8s_openapi::api::{apps::v1::Deployment, rbac::v1::Role};
use fw::kube::CustomResource;
use fw::schemars::JsonSchema;
use fw::serde::{Deserialize, Serialize};
use fw::{Kind, OwnedResource, OwnedSet, Part, RbacRules};

/// An owner.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(crate = "fw::serde")]
#[schemars(crate = "fw::schemars")]
#[kube(group = "example.com", version = "v1", kind = "Renamed", namespaced)]
#[kube(crates(
    kube = "fw::kube",
    kube_core = "fw::kube::core",
    k8s_openapi = "fw::k8s_openapi",
    schemars = "fw::schemars",
    serde = "fw::serde",
    serde_json = "fw::serde_json"
))]
#[kind(crate = fw)]
pub struct RenamedSpec {
    /// A value.
    pub value: String,
}

/// A part.
#[derive(Part)]
#[part(PodSpec, crate = fw)]
#[set(host_network = true)]
pub struct OnHost;

/// An object.
#[derive(OwnedResource)]
#[owned(Deployment, name = "{owner}-{tier}", crate = fw)]
#[set(spec.template.metadata.labels["tier"] = "{tier}")]
pub struct Server {
    /// A part.
    #[part(spec.template.spec)]
    pub pod: OnHost,
    /// In a string.
    pub tier: String,
}

/// A rule set.
#[derive(RbacRules)]
#[rbac(crate = fw)]
#[rule(Secret, verbs(get))]
pub struct Reads;

/// A role.
#[derive(OwnedResource)]
#[owned(Role, grants(Reads), crate = ::fw)]
pub struct Granted {
    /// What it grants.
    pub rules: Reads,
}

/// A set.
#[derive(OwnedSet)]
#[owned_set(owner = Renamed, reads(ConfigMap), crate = ::fw)]
pub struct Objects {
    /// An object.
    pub server: Server,
    /// A role.
    pub role: Granted,
}

/// What the operator holds.
#[derive(RbacRules)]
#[rbac(manages(Objects), crate = fw)]
#[rule(Secret, verbs(get), to_grant)]
pub struct OperatorRules;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_name_is_taken_everywhere() {
        let set = Objects { server: Server { pod: OnHost, tier: "web".to_owned() }, role: Granted { rules: Reads } };
        assert_eq!(set.plan("shop", "team").map(|plan| plan.entries.len()), Ok(2));
        assert_eq!(<Renamed as Kind>::PLURAL, "renameds");
    }
}
