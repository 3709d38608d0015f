use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, takes_over(kubectl, "helm", 3))]
pub struct Settings;

fn main() {}
