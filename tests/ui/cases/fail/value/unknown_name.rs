use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.replicas = REPLICAS)]
pub struct Server;

fn main() {}
