use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = 1 paused = true, min_ready_second = 3 })]
pub struct Server;

fn main() {}
