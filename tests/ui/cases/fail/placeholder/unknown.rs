use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{ower}-settings")]
#[set(data { ["file"] = "x" })]
#[set(data["greeting"] = "{greting}", data["who"] = "{nobody_at_all}", metadata.labels["{x}"] = "1")]
pub struct Settings {
    #[at(data["text"])]
    greeting: String,
}

fn main() {}
