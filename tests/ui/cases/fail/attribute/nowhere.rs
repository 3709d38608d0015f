use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Settings {
    text: String,
    r#type: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Pair(String, #[at(data["b"])] String);

fn main() {}
