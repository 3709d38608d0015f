use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::{OwnedResource, Part};

/// A part without a type is a part of anything, so that nothing follows.
#[derive(Part)]
#[set(host_network = true)]
pub struct WithoutType;

#[derive(OwnedResource)]
#[owned(Deployment)]
pub struct Server {
    #[part(spec.template.spec)]
    pod: WithoutType,
}

fn main() {}
