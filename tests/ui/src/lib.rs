//! What the cases of this package share: two owners, and an object that takes the name of its set.

use k8s_openapi::api::core::v1::ConfigMap;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use urutau_core::{Kind, OwnedResource};

/// An owner that lives in a namespace.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Greeter", namespaced)]
pub struct GreeterSpec {
    /// What it says.
    pub greeting: String,
}

/// An owner that lives in none.
#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Fleet")]
pub struct FleetSpec {
    /// How many it is.
    pub size: i32,
}

/// A `ConfigMap` that takes the name of its set.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config {
    /// What is in it.
    #[at(data)]
    pub data: BTreeMap<String, String>,
}
