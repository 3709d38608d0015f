use k8s_openapi::api::apps::v1::Deployment;
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = , paused, min_ready_seconds = 5 })]
#[set(spec.revision_history_limit =)]
pub struct Server;

fn main() {}
