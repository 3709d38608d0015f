use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec.template.spce.service_account_name = "{name}")]
pub struct Server;

fn main() {}
