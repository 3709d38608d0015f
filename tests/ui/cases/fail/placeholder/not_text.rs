use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::OwnedResource;

pub struct Table;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{table}")]
#[set(data["table"] = "{table}")]
pub struct Settings {
    table: Table,
}

fn main() {}
