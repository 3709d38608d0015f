use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

/// Mistakes of every sort in one input are told at once.
#[derive(OwnedResource)]
#[owned(Deployment, nam = "x", apply = never)]
#[set(spec { replicas = , template.spec. }, metadata.name = "x", spec.paused = true)]
pub struct Server {
    #[at(spec.paused)]
    paused: bool,
    #[at()]
    image: String,
    forgotten: String,
}

fn main() {}
