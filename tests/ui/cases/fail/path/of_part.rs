use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::PodSpec;
use urutau_core::{OwnedResource, Part};

#[derive(Part)]
#[part(PodSpec)]
#[set(security_context { run_as_root = false })]
pub struct Hardened;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
pub struct Server {
    #[part(spec.template.pod)]
    pod: Hardened,
}

fn main() {}
