use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::PodSpec;
use urutau_core::{OwnedResource, Part};

#[derive(Part)]
#[part(PodSpec)]
#[set(host_network = true)]
pub struct OnHost;

#[derive(OwnedResource)]
#[owned(Deployment)]
pub struct Server {
    #[part(spec.template)]
    pod: OnHost,
}

fn main() {}
