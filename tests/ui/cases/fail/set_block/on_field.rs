use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
pub struct Server {
    #[set(spec.replicas)]
    replicas: i32,
}

fn main() {}
