use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, apply = allways, on_removal = orphan, conflict)]
pub struct Settings;

#[derive(OwnedResource)]
#[owned(ConfigMap, apply = "once", apply = once, on_removal = delete, on_removal = keep, takes_over, ready, ready)]
pub struct Others;

fn main() {}
