use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(status.replicas = 1)]
pub struct Server {
    #[at(status.ready_replicas)]
    ready: i32,
}

fn main() {}
