use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

pub enum Size {
    Small,
    Large,
}

#[derive(OwnedResource)]
#[owned(Deployment)]
pub struct Server {
    #[at(spec.replicas)]
    size: Size,
}

fn main() {}
