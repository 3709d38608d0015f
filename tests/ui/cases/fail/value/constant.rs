use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = "three", service_name = 8080, template.spec.host_network = "yes" })]
pub struct Server;

fn main() {}
