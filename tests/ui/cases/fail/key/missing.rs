use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.template.spec { containers[].image = "server:1", volumes[name =].empty_dir {}, host_network = true })]
pub struct Server;

fn main() {}
