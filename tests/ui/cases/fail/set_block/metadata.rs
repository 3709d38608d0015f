use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(metadata { name = "settings", namespace = "here", finalizers = ["x"], labels["a"] = "b" })]
pub struct Settings {
    #[at(metadata.owner_references)]
    owners: Vec<String>,
    #[at(metadata)]
    all: String,
}

fn main() {}
