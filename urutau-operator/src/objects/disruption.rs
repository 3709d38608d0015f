//! The disruption budget of the coordinator.

use super::Labels;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use urutau_core::OwnedResource;

/// Lets a node be drained: with one replica, anything but `maxUnavailable` would block it for ever.
#[derive(OwnedResource)]
#[owned(PodDisruptionBudget)]
#[set(spec.max_unavailable = 1)]
pub struct CoordinatorDisruption {
    /// The Pods that it speaks of.
    #[at(spec.selector.match_labels)]
    pub pods: Labels,
}
