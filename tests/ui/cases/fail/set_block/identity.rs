use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(api_version = "v1", kind = "ConfigMap")]
pub struct Settings;

fn main() {}
