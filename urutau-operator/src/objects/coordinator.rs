//! The `StatefulSet` of the coordinator.

use super::{Credentials, GRPC_PORT, Hardened, HardenedContainer, Labels};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{EmptyDirVolumeSource, PersistentVolumeClaim, ResourceRequirements, VolumeProjection};
use urutau_core::OwnedResource;

/// Runs the coordinator.
#[derive(OwnedResource)]
#[owned(StatefulSet, ready)]
#[set(spec {
    replicas = 1,
    service_name = "{name}",
    // With OrderedReady a Pod that never became ready would block its own correction.
    pod_management_policy = "Parallel",
    template.metadata.labels["app.kubernetes.io/name"] = "urutau",
    template.metadata.labels["app.kubernetes.io/instance"] = "{owner}",
    template.metadata.labels["app.kubernetes.io/part-of"] = "urutau",
    template.spec {
        service_account_name = "{name}",
        termination_grace_period_seconds = 60,
        containers["coordinator"] {
            command = ["urutau-coordinator"],
            ports[GRPC_PORT].name = "grpc",
            ports[self.metrics_port].name = "metrics",
            startup_probe { http_get { path = "/healthz", port = "metrics" }, period_seconds = 10, failure_threshold = 60 },
            liveness_probe.http_get { path = "/healthz", port = "metrics" },
            readiness_probe.http_get { path = "/readyz", port = "metrics" },
            volume_mounts["/etc/urutau"] { name = "config", read_only = true },
            volume_mounts["/var/lib/urutau"].name = "state",
        },
    },
})]
pub struct CoordinatorStatefulSet {
    /// The labels that tell its Pods.
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    pub pods: Labels,
    /// Changes with what the process reads when it starts, so that the Pod is replaced with it.
    #[at(spec.template.metadata.annotations["urutau.io/boot-hash"])]
    pub boot: String,
    /// What every Pod of ours has in common.
    #[part(spec.template.spec)]
    pub pod: Hardened,
    /// What every container of ours has in common.
    #[part(spec.template.spec.containers["coordinator"])]
    pub container: HardenedContainer,
    /// What it is told of the source and the sink.
    #[part(spec.template.spec.containers["coordinator"])]
    pub credentials: Credentials,
    /// Its image.
    #[at(spec.template.spec.containers["coordinator"].image)]
    pub image: String,
    /// Its arguments.
    #[at(spec.template.spec.containers["coordinator"].args)]
    pub args: Vec<String>,
    /// What it asks for, which is all that it may take.
    #[at(spec.template.spec.containers["coordinator"].resources)]
    pub resources: Option<ResourceRequirements>,
    /// Where it serves its metrics and probes.
    pub metrics_port: u16,
    /// The document, the templates and the keys, in one folder: a volume can't be mounted within a read-only one.
    #[at(spec.template.spec.volumes["config"].projected.sources)]
    pub files: Vec<VolumeProjection>,
    /// The claim that keeps the key ranges over replacements of the Pod.
    #[at(spec.volume_claim_templates)]
    pub state: Option<Vec<PersistentVolumeClaim>>,
    /// The folder that keeps them as long as the Pod, where there is no claim.
    #[at(spec.template.spec.volumes["state"].empty_dir)]
    pub short_lived_state: Option<EmptyDirVolumeSource>,
}
