//! The Service of the coordinator.

use super::{GRPC_PORT, Labels};
use k8s_openapi::api::core::v1::Service;
use urutau_core::OwnedResource;

/// Headless Service that gives the coordinator's Pod a stable DNS name.
#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec {
    cluster_ip = "None",
    publish_not_ready_addresses = true, // workers connect while it is still starting
    ports[GRPC_PORT] { name = "grpc", target_port = "grpc" },
})]
pub struct CoordinatorService {
    /// The Pods that it stands for.
    #[at(spec.selector)]
    pub pods: Labels,
}
