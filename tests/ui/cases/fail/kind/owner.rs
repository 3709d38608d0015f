use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ui_tests::Config;
use urutau_core::OwnedSet;

/// `Kind` is missing beside `CustomResource`.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Parrot", namespaced)]
pub struct ParrotSpec {}

#[derive(OwnedSet)]
#[owned_set(owner = Parrot, reads(ObjectMeta))]
pub struct Objects {
    config: Config,
}

fn main() {}
