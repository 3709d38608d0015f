use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use urutau_core::Kind;

#[derive(Kind)]
pub struct Bare;

#[derive(Kind)]
#[kube(group = "example.com", kind = "Parrot")]
pub struct NoVersion;

#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Macaw", namespaced)]
#[kind(crat = urutau_core, crate)]
pub struct MacawSpec {}

fn main() {}
