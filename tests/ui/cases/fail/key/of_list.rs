use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.template.spec {
    containers[80].image = "server:1",
    volumes['t'].empty_dir {},
    containers["server"].ports["http"].name = "http",
})]
pub struct Server;

fn main() {}
