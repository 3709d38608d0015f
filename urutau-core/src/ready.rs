//! Whether an object is ready, read off the few fields that say so.

mod known;
pub(crate) mod lenient;

use crate::kind::KindId;
use serde::Deserialize;

/// Whether an object can be relied on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// Not yet; the text says what is missing.
    NotReady(String),
    /// It will not become ready without a change; the text says why.
    Failed(String),
}

/// How the readiness of an object is told.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// By what is known of its kind.
    Known,
    /// By the author's function.
    By(fn(&View) -> Readiness),
}

impl Check {
    /// The readiness of an object of this kind.
    pub fn of(self, kind: &KindId, view: &View) -> Readiness {
        match self {
            Self::Known => known::readiness(kind, view),
            Self::By(check) => check(view),
        }
    }
}

/// The fields of a live object that readiness is read off; everything else is skipped while decoding. A field of
/// another type than is expected here is as good as absent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct View {
    /// `metadata`, as far as it is read.
    pub metadata: ViewMeta,
    /// `spec`, as far as it is read.
    #[serde(deserialize_with = "lenient::object")]
    pub spec: ViewSpec,
    /// `status`, as far as it is read.
    #[serde(deserialize_with = "lenient::object")]
    pub status: ViewStatus,
}

impl View {
    /// The condition of this type, if there is one.
    pub fn condition(&self, type_: &str) -> Option<&ViewCondition> {
        self.status.conditions.iter().find(|condition| condition.type_ == type_)
    }

    /// Whether the condition of this type is there and `True`.
    pub fn is(&self, type_: &str) -> bool {
        self.condition(type_).is_some_and(|condition| condition.status == "True")
    }
}

/// `metadata` of a [`View`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewMeta {
    /// Counts the changes to the desired state.
    #[serde(deserialize_with = "lenient::leaf")]
    pub generation: Option<i64>,
    /// Set while the object is being deleted.
    #[serde(deserialize_with = "lenient::leaf")]
    pub deletion_timestamp: Option<String>,
}

/// `spec` of a [`View`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewSpec {
    /// Wanted replicas; absent means 1 for workloads.
    #[serde(deserialize_with = "lenient::leaf")]
    pub replicas: Option<i64>,
    /// Wanted completions of a Job.
    #[serde(deserialize_with = "lenient::leaf")]
    pub completions: Option<i64>,
    /// Whether a rollout is paused.
    #[serde(deserialize_with = "lenient::leaf")]
    pub paused: Option<bool>,
    /// A Service's type.
    #[serde(rename = "type", deserialize_with = "lenient::leaf")]
    pub type_: Option<String>,
    /// Whether a Job waits to be let go.
    #[serde(deserialize_with = "lenient::leaf")]
    pub suspend: Option<bool>,
    /// How a workload moves to a new revision.
    #[serde(deserialize_with = "lenient::object")]
    pub update_strategy: ViewStrategy,
}

/// How a workload moves to a new revision.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewStrategy {
    /// `RollingUpdate` or `OnDelete`.
    #[serde(rename = "type", deserialize_with = "lenient::leaf")]
    pub type_: Option<String>,
    /// What a rolling update keeps to.
    #[serde(deserialize_with = "lenient::object")]
    pub rolling_update: ViewRollingUpdate,
}

/// What a rolling update keeps to.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewRollingUpdate {
    /// Pods with a lower number stay at the old revision.
    #[serde(deserialize_with = "lenient::leaf")]
    pub partition: Option<i64>,
}

/// `status` of a [`View`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewStatus {
    /// The generation that the status speaks of.
    #[serde(deserialize_with = "lenient::leaf")]
    pub observed_generation: Option<i64>,
    /// Pods there are.
    #[serde(deserialize_with = "lenient::leaf")]
    pub replicas: Option<i64>,
    /// Pods that are ready.
    #[serde(deserialize_with = "lenient::leaf")]
    pub ready_replicas: Option<i64>,
    /// Pods of the newest revision.
    #[serde(deserialize_with = "lenient::leaf")]
    pub updated_replicas: Option<i64>,
    /// Pods that have been ready for long enough.
    #[serde(deserialize_with = "lenient::leaf")]
    pub available_replicas: Option<i64>,
    /// The revision that Pods are at.
    #[serde(deserialize_with = "lenient::leaf")]
    pub current_revision: Option<String>,
    /// The revision that Pods move to.
    #[serde(deserialize_with = "lenient::leaf")]
    pub update_revision: Option<String>,
    /// Nodes that should run a `DaemonSet`'s Pod.
    #[serde(deserialize_with = "lenient::leaf")]
    pub desired_number_scheduled: Option<i64>,
    /// Nodes that run the newest one.
    #[serde(deserialize_with = "lenient::leaf")]
    pub updated_number_scheduled: Option<i64>,
    /// Nodes whose Pod is ready.
    #[serde(deserialize_with = "lenient::leaf")]
    pub number_ready: Option<i64>,
    /// Succeeded Pods of a Job.
    #[serde(deserialize_with = "lenient::leaf")]
    pub succeeded: Option<i64>,
    /// Healthy Pods that a disruption budget counts.
    #[serde(deserialize_with = "lenient::leaf")]
    pub current_healthy: Option<i64>,
    /// Healthy Pods that a disruption budget wants.
    #[serde(deserialize_with = "lenient::leaf")]
    pub desired_healthy: Option<i64>,
    /// Where a load balancer was set up.
    #[serde(deserialize_with = "lenient::object")]
    pub load_balancer: ViewLoadBalancer,
    /// The phase of a Pod, a claim, a Namespace.
    #[serde(deserialize_with = "lenient::leaf")]
    pub phase: Option<String>,
    /// The conditions.
    #[serde(deserialize_with = "lenient::leaf")]
    pub conditions: Vec<ViewCondition>,
}

/// Where a load balancer was set up.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewLoadBalancer {
    /// Its addresses.
    #[serde(deserialize_with = "lenient::leaf")]
    pub ingress: Vec<ViewIngress>,
}

/// An address of a load balancer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewIngress {
    /// As a number.
    #[serde(deserialize_with = "lenient::leaf")]
    pub ip: Option<String>,
    /// As a name.
    #[serde(deserialize_with = "lenient::leaf")]
    pub hostname: Option<String>,
}

/// A condition of a [`View`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct ViewCondition {
    /// What it speaks of.
    #[serde(rename = "type", deserialize_with = "lenient::leaf")]
    pub type_: String,
    /// `True`, `False` or `Unknown`.
    #[serde(deserialize_with = "lenient::leaf")]
    pub status: String,
    /// Why, in upper camel case.
    #[serde(deserialize_with = "lenient::leaf")]
    pub reason: Option<String>,
    /// Why, in words.
    #[serde(deserialize_with = "lenient::leaf")]
    pub message: Option<String>,
    /// The generation it speaks of.
    #[serde(deserialize_with = "lenient::leaf")]
    pub observed_generation: Option<i64>,
}
