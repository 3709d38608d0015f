use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

/// Slips in attributes do not hide those in paths.
#[derive(OwnedResource)]
#[owned(Deployment, nam = "x")]
#[set(spec { replica = 1, template.spec. }, spec.pausd = true)]
pub struct Server {
    #[at(spec.paused)]
    paused: String,
    forgotten: String,
}

fn main() {}
