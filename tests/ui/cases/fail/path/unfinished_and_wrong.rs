use k8s_openapi::api::apps::v1::StatefulSet;
use urutau_core::OwnedResource;

/// The steps before the end are still looked at.
#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec.tmplate.spec.)]
pub struct Server;

fn main() {}
