use k8s_openapi::api::core::v1::ConfigMap;
use std::collections::HashMap;
use urutau_core::OwnedResource;

/// The order of a `HashMap` changes from run to run.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Settings {
    #[at(data)]
    data: HashMap<String, String>,
}

fn main() {}
