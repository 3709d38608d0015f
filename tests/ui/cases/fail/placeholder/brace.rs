use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner")]
#[set(data["json"] = "{\"a\": 1}", data["close"] = "}")]
pub struct Settings;

fn main() {}
