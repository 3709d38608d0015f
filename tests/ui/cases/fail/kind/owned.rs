use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use urutau_core::OwnedResource;

/// `Kind` is missing beside `CustomResource`.
#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Parrot", namespaced)]
pub struct ParrotSpec {
    words: Vec<String>,
}

#[derive(OwnedResource)]
#[owned(Parrot)]
#[set(spec.words = ["hello"])]
pub struct Polly;

#[derive(OwnedResource)]
#[owned(String)]
pub struct NotAKind;

#[derive(OwnedResource)]
#[owned(Cofigmap)]
#[set(data["a"] = "b")]
pub struct Misspelt;

fn main() {}
