//! Everything that `Kind` reads, and that it reads it as kube does.

use kube::{CustomResource, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use urutau_core::Kind;

/// Every name is said.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(
    group = "birds.example.com",
    version = "v1beta1",
    kind = "Parrot",
    plural = "parrotry",
    root = "Psittacine",
    namespaced,
    shortname = "par",
    doc = "A bird, with a comma"
)]
#[kind(crate = urutau_core)]
pub struct ParrotSpec {
    /// What it says.
    pub words: Vec<String>,
}

/// As little as possible is said; the plural is kube's.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "birds.example.com", version = "v1", kind = "Canary")]
pub struct CanarySpec {
    /// How loud it is.
    pub loudness: u8,
}

#[test]
fn the_names_are_those_of_kube() {
    fn same<K: Kind + Resource<DynamicType = ()>>() {
        assert_eq!(K::GROUP, K::group(&()));
        assert_eq!(K::VERSION, K::version(&()));
        assert_eq!(K::KIND, K::kind(&()));
        assert_eq!(K::PLURAL, K::plural(&()));
    }
    same::<Psittacine>();
    same::<Canary>();
    const { assert!(Psittacine::NAMESPACED && !Canary::NAMESPACED) }
}
