//! Everything that a `CDCPipeline` owns. One file for each object, or for two that belong together; what follows from
//! them (builders, watches, order, pruning, permissions) is derived.

mod boot;
mod config;
mod coordinator;
mod declare;
mod disruption;
mod pod;
mod rules;
mod scaler;
mod service;
mod settings;
mod worker;

pub use boot::Boot;
pub use config::CoordinatorConfig;
pub use coordinator::CoordinatorStatefulSet;
pub use declare::secrets_of;
pub use disruption::CoordinatorDisruption;
pub use pod::{Credentials, Hardened, HardenedContainer};
pub use rules::{CoordinatorRules, OperatorRules};
pub use scaler::{ScaleTarget, ScaledObject, ScaledObjectSpec, TableScaler, Trigger};
pub use service::CoordinatorService;
pub use settings::{Autoscaling, Settings};
pub use worker::{WorkerAccount, WorkerPod};

use crate::api::CDCPipeline;
use k8s_openapi::api::core::v1::Secret;
use std::collections::BTreeMap;
use urutau_core::{Identity, OwnedSet, Waiting};

/// Where the coordinator serves its workers.
pub const GRPC_PORT: u16 = 50051;

/// Labels, sorted.
type Labels = BTreeMap<String, String>;

/// Everything that a `CDCPipeline` owns.
#[derive(OwnedSet)]
#[owned_set(owner = CDCPipeline, manager = "urutau-operator", reads(Secret))]
#[owned_set(labels(
    "app.kubernetes.io/name" = "urutau",
    "app.kubernetes.io/instance" = "{owner}",
    "app.kubernetes.io/managed-by" = "urutau-operator",
    "app.kubernetes.io/part-of" = "urutau",
    "urutau.io/pipeline" = "{owner}",
))]
pub struct PipelineObjects {
    coordinator: Coordinator,
    worker: Worker,
}

/// The one process that reads the source, with what it needs.
#[derive(OwnedSet)]
#[owned_set(name = "{owner}-coordinator", labels("app.kubernetes.io/component" = "coordinator"))]
pub struct Coordinator {
    identity: Identity<CoordinatorRules>,
    config: Result<CoordinatorConfig, Waiting>,
    service: CoordinatorService,
    disruption: CoordinatorDisruption,
    /// None while no image is known; while it waits, what runs goes on running.
    #[member(after(identity, config, service))]
    stateful_set: Option<Result<CoordinatorStatefulSet, Waiting>>,
}

/// What the processes that write the tables need beyond their template.
#[derive(OwnedSet)]
#[owned_set(name = "{owner}-worker", labels("app.kubernetes.io/component" = "worker"))]
pub struct Worker {
    account: WorkerAccount,
    /// One for each elastic table. A cluster without KEDA goes without them.
    #[member(optional_api)]
    scalers: Vec<TableScaler>,
}

/// The labels that tell the Pods of one component of one pipeline: never changed, as a selector can't be.
fn selector(owner: &str, component: &str) -> Labels {
    [("app.kubernetes.io/component", component), ("urutau.io/pipeline", owner)]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into()
}
