use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data[1] = "one")]
pub struct Settings;

fn main() {}
