use k8s_openapi::api::core::v1::ConfigMap;
use std::collections::BTreeMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(imutable = true)]
pub struct Settings {
    #[at(dat)]
    data: BTreeMap<String, String>,
}

fn main() {}
