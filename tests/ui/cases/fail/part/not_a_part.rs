use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

pub struct Plain;

#[derive(OwnedResource)]
#[owned(Deployment)]
pub struct Server {
    #[part(spec.template.spec)]
    pod: Plain,
}

fn main() {}
