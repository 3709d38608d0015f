use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.template.spec.containers["server"] { args = [1, 2], command = "server" })]
pub struct Server;

fn main() {}
