//! What the operator makes for the workers: their account, and the template that the coordinator clones.

use super::{Credentials, Hardened, HardenedContainer, Labels};
use crate::workers::{ELASTIC, POD_INDEX};
use k8s_openapi::api::core::v1::{Container, PodTemplateSpec, ResourceRequirements, ServiceAccount};
use urutau_core::{OwnedResource, Part};

/// The account of the workers. It has no token and is bound to nothing.
#[derive(OwnedResource)]
#[owned(ServiceAccount)]
#[set(automount_service_account_token = false)]
pub struct WorkerAccount;

/// The template of a table's workers. The coordinator adds each one's `--name`.
#[derive(Part)]
#[part(PodTemplateSpec)]
#[set(
    metadata.labels["app.kubernetes.io/name"] = "urutau",
    metadata.labels["app.kubernetes.io/instance"] = "{owner}",
    metadata.labels["app.kubernetes.io/part-of"] = "urutau",
    spec {
        service_account_name = "{owner}-worker",
        automount_service_account_token = false,
        containers["worker"].command = ["urutau-worker"],
    },
)]
pub struct WorkerPod {
    /// The labels that tell the pipeline's workers.
    #[at(metadata.labels)]
    pub labels: Labels,
    /// Changes with the Secrets that the worker reads, so that it is replaced with them.
    #[at(metadata.annotations["urutau.io/boot-hash"])]
    pub boot: Option<String>,
    /// The mark of an elastic table, by which the coordinator knows that it is one.
    #[at(metadata.annotations[ELASTIC])]
    pub elastic: Option<String>,
    /// What tells the workers of an elastic table apart.
    #[part(spec.containers["worker"])]
    pub index: Option<PodIndex>,
    /// What every Pod of ours has in common.
    #[part(spec)]
    pub pod: Hardened,
    /// What every container of ours has in common.
    #[part(spec.containers["worker"])]
    pub container: HardenedContainer,
    /// What it is told of the source and the sink.
    #[part(spec.containers["worker"])]
    pub credentials: Credentials,
    /// Its image.
    #[at(spec.containers["worker"].image)]
    pub image: String,
    /// Its arguments, but for its name.
    #[at(spec.containers["worker"].args)]
    pub args: Vec<String>,
    /// What it asks for and may take.
    #[at(spec.containers["worker"].resources)]
    pub resources: Option<ResourceRequirements>,
    /// The keys that it is given as files.
    #[part(spec)]
    pub files: Option<WorkerFiles>,
}

/// Tells the Pods of a `StatefulSet` which one of it they are.
#[derive(Part)]
#[part(Container)]
#[set(env[POD_INDEX].value_from.field_ref.field_path = "metadata.labels['apps.kubernetes.io/pod-index']")]
pub struct PodIndex;

/// The Secret with which workers prove who they are, as files.
#[derive(Part)]
#[part(k8s_openapi::api::core::v1::PodSpec)]
#[set(
    volumes["tls"].secret { secret_name = "{secret}", default_mode = 0o400 },
    containers["worker"].volume_mounts["/etc/urutau/tls"] { name = "tls", read_only = true },
)]
pub struct WorkerFiles {
    /// The Secret's name.
    pub secret: String,
}
