use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, crate = framework)]
#[set(data["a"] = "b")]
pub struct Settings;

fn main() {}
