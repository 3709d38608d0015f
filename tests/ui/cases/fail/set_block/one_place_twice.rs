use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = 1, template.spec.containers["server"].image = "a:1" })]
#[set(spec.replicas = 2)]
pub struct Server {
    #[at(spec.template.spec.containers["server"].image)]
    image: String,
    #[at(spec.paused)]
    paused: bool,
    #[at(spec.paused)]
    stopped: bool,
}

fn main() {}
