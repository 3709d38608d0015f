//! Making the workers: each is cloned from the template of its table, and belongs to the coordinator's Pod, so that
//! garbage collection takes it when the Pod is gone. The coordinator itself deletes nothing.

mod ensure;
mod error;
mod in_cluster;
mod stamp;
#[cfg(test)]
mod tests;

pub use error::Why;
pub use error::{GroupError, ProvisionError};
pub use in_cluster::{InCluster, InClusterError};

use super::Config;
use crate::api::CDCPipeline;
use crate::naming;
use crate::objects::CoordinatorRules;
use crate::workers::{Form, TableWorkers};
use ensure::{Done, Ensure, Making, again};
use futures::stream::{self, StreamExt as _};
use k8s_openapi::api::core::v1::Pod;
use std::time::Duration;
use tokio::time::Instant;
use urutau_core::{Client, Names};

/// How long everything together may take: a coordinator that can't have its workers ends with an error, and is started
/// again.
const PATIENCE: Duration = Duration::from_secs(300);
/// How many workloads are worked on at the same time.
const AT_ONCE: usize = 8;

/// Where the coordinator runs.
#[derive(Clone)]
#[non_exhaustive]
pub struct Surroundings {
    /// A client with the coordinator's own token.
    pub client: kube::Client,
    /// Its namespace.
    pub namespace: String,
    /// Its Pod: `<pipeline>-coordinator-0`.
    pub pod: String,
    /// How long to wait for the API server and for garbage collection, in all.
    pub patience: Duration,
}

impl Surroundings {
    /// A coordinator in this Pod, that waits for five minutes.
    pub fn new(client: kube::Client, namespace: impl Into<String>, pod: impl Into<String>) -> Self {
        Self { client, namespace: namespace.into(), pod: pod.into(), patience: PATIENCE }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provisioned {
    /// There are no templates, so there is nothing to make. Nothing was asked of the API server.
    Nothing,
    /// The pipeline was given up; nothing was made.
    Terminated {
        /// Why, in one word.
        reason: String,
        /// Why, in words.
        message: String,
    },
    /// Every worker is there, as its template says.
    Workers {
        /// How many workloads were made.
        created: usize,
        /// How many were changed.
        updated: usize,
        /// How many were right as they were.
        unchanged: usize,
    },
}

/// Makes the workers of a pipeline, or changes them to what their templates say. What is right already stays untouched,
/// and replicas of an elastic table are left to whoever scales it.
///
/// A workload of an earlier Pod of the coordinator is left to garbage collection, and made anew once it is gone. What
/// the API server refuses for a while is tried again.
///
/// # Errors
/// When this Pod is no coordinator's, or is about to go; and for each worker that could not be made, the table, its name
/// and why. What could be made is there nevertheless.
pub async fn provision(config: &Config, around: &Surroundings) -> Result<Provisioned, ProvisionError> {
    if !config.has_templates {
        return Ok(Provisioned::Nothing);
    }
    let owner = naming::owner_of_coordinator_pod(&around.pod)
        .ok_or_else(|| ProvisionError::NotACoordinator { pod: around.pod.clone() })?;
    let until = Instant::now() + around.patience;
    let client = client(config, around, owner);
    let pod = again(until, "read the coordinator's Pod", || client.get::<Pod>(&around.pod)).await;
    let pod = pod.map_err(ProvisionError::Pod)?.map(|pod| pod.metadata);
    let uid = match pod {
        Some(pod) if pod.deletion_timestamp.is_none() => pod.uid.unwrap_or_default(),
        _ => return Err(ProvisionError::PodIsGone { namespace: around.namespace.clone(), pod: around.pod.clone() }),
    };
    let pipeline = again(until, "read the pipeline", || client.get::<CDCPipeline>(owner)).await;
    let status = pipeline.map_err(ProvisionError::Pipeline)?.and_then(|pipeline| pipeline.status);
    if let Some(terminated) = status.and_then(|status| status.terminated) {
        let message = terminated.message.unwrap_or_default();
        return Ok(Provisioned::Terminated { reason: terminated.reason, message });
    }
    let ensure = Ensure { client: &client, pod: &around.pod, uid: &uid, until };
    let mut done = Vec::new();
    let mut failed = Vec::new();
    let mut results = stream::iter(workloads(config, &ensure)).buffer_unordered(AT_ONCE);
    while let Some(result) = results.next().await {
        match result {
            Ok(one) => done.push(one),
            Err(error) => failed.push(error),
        }
    }
    if !failed.is_empty() {
        failed.sort_by(|a: &GroupError, b| (&a.table, &a.name).cmp(&(&b.table, &b.name)));
        return Err(ProvisionError::Groups(failed));
    }
    let count = |which: Done| done.iter().filter(|done| **done == which).count();
    Ok(Provisioned::Workers {
        created: count(Done::Created),
        updated: count(Done::Updated),
        unchanged: count(Done::Unchanged),
    })
}

/// A client for what the coordinator's own Role grants: the same rules, made from the same names.
fn client(config: &Config, around: &Surroundings, owner: &str) -> Client<CoordinatorRules> {
    let workers = config.tables.iter().map(|table| &table.workers);
    let rules = CoordinatorRules::of(workers);
    let coordinator = naming::coordinator(owner);
    Client::new(around.client.clone(), &rules, &Names::new(owner, &around.namespace, &coordinator))
}

/// What makes each workload so, when it is polled.
fn workloads<'a>(config: &'a Config, ensure: &'a Ensure<'a>) -> impl Iterator<Item = Making<'a>> {
    config.tables.iter().flat_map(move |table| -> Vec<Making<'a>> {
        let Some(template) = &table.template else { return Vec::new() };
        let TableWorkers { target, form, .. } = &table.workers;
        match form {
            Form::Deployments => {
                let groups = table.workers.deployments().iter();
                let wanted = groups.map(|group| stamp::deployment(template, group, ensure.owner()));
                wanted.map(|wanted| ensure.workload(target, wanted)).collect()
            }
            Form::StatefulSet(set) => {
                vec![ensure.workload(target, stamp::stateful_set(template, set, ensure.owner()))]
            }
        }
    })
}
