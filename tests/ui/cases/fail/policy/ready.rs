use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

fn is_ready(_: &str) -> bool {
    true
}

#[derive(OwnedResource)]
#[owned(ConfigMap, ready = is_ready)]
pub struct Settings;

#[derive(OwnedResource)]
#[owned(ConfigMap, ready = no_such_function)]
pub struct Others;

fn main() {}
