//! What the coordinator may do, and what the operator holds.

use super::PipelineObjects;
use crate::api::CDCPipeline;
use crate::workers::TableWorkers;
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Pod;
use urutau_core::RbacRules;

/// What the coordinator may do with its own token: read its pipeline, say how it ended, and make its workers.
#[derive(Debug, RbacRules)]
#[rule(CDCPipeline, verbs(get), names("{owner}"))]
#[rule(CDCPipeline/status, verbs(get, update, patch), names("{owner}"))]
#[rule(Pod, verbs(get), names("{owner}-coordinator-0"))]
pub struct CoordinatorRules {
    /// Whether there are workers to make: a POST can't be limited to names.
    #[rule(Deployment, verbs(create))]
    pub provisions: bool,
    /// The workers, by name.
    #[rule(Deployment, verbs(get, update))]
    pub workers: Vec<String>,
    /// Whether there are elastic tables.
    #[rule(StatefulSet, verbs(create))]
    pub scales: bool,
    /// The `StatefulSet`s of elastic tables, by name.
    #[rule(StatefulSet, verbs(get, update))]
    pub elastic: Vec<String>,
}

impl CoordinatorRules {
    /// The rules for making these workers.
    pub fn of<'a>(tables: impl IntoIterator<Item = &'a TableWorkers>) -> Self {
        let (mut workers, mut elastic) = (Vec::new(), Vec::new());
        for table in tables {
            workers.extend_from_slice(table.deployments());
            elastic.extend(table.stateful_set().map(|set| set.name.clone()));
        }
        Self { provisions: !workers.is_empty(), workers, scales: !elastic.is_empty(), elastic }
    }
}

/// What the operator holds: what it takes to manage a pipeline's objects, and what it hands on.
#[derive(RbacRules)]
#[rbac(manages(PipelineObjects))]
#[rule(CDCPipeline, verbs(get), to_grant)]
#[rule(CDCPipeline/status, verbs(get, update, patch), to_grant)]
#[rule(Deployment, verbs(get, create, update), to_grant)]
#[rule(Pod, verbs(get), to_grant)]
#[rule(StatefulSet, verbs(update), to_grant)]
pub struct OperatorRules;
