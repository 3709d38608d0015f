//! What the operator and the coordinator answer.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shape::output;

/// How a pipeline is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = output)]
#[non_exhaustive]
pub struct PipelineStatus {
    /// How it is, in one word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// How it is, in detail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
    /// The generation of the spec that all of this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// How many tables it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<i32>,
    /// How many workers it is to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<i32>,
    /// The objects that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["group", "kind", "name"]))]
    pub owned: Vec<Owned>,
    /// Why the coordinator gave it up. While this is set nothing is written for the pipeline; a human clears it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminated: Option<Terminated>,
}

/// How a pipeline is, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub enum Phase {
    /// Nothing has been applied yet.
    #[default]
    Pending,
    /// The objects are applied, and not all ready.
    Provisioning,
    /// It runs.
    Running,
    /// It ran, or part of it does.
    Degraded,
    /// Its objects are left as they are.
    Suspended,
    /// It was given up.
    Terminated,
}

/// One aspect of how a pipeline is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = output)]
#[non_exhaustive]
pub struct Condition {
    /// The aspect, such as Ready.
    #[schemars(extend("maxLength" = 316, "pattern" = TYPE))]
    pub r#type: String,
    /// Whether it is so: True, False or Unknown.
    pub status: ConditionStatus,
    /// The reason, in one word.
    #[schemars(extend("minLength" = 1, "maxLength" = 1024, "pattern" = REASON))]
    pub reason: String,
    /// The reason, in words for humans.
    #[schemars(extend("maxLength" = 32768))]
    pub message: String,
    /// Since when it is so.
    pub last_transition_time: Time,
    /// The generation of the spec that this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
}

/// Whether something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub enum ConditionStatus {
    /// It is so.
    True,
    /// It is not so.
    False,
    /// Nobody can tell.
    Unknown,
}

/// An object that belongs to a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = output)]
#[non_exhaustive]
pub struct Owned {
    /// The group of its kind; empty for the core group.
    #[serde(default)]
    pub group: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its uid.
    pub uid: String,
    /// What it was when it was last written, in short.
    pub fingerprint: String,
}

/// Why the coordinator gave a pipeline up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = output)]
#[non_exhaustive]
pub struct Terminated {
    /// The reason, in one word.
    pub reason: String,
    /// The reason, in words for humans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

/// The pattern of a condition's type, as Kubernetes has it.
const TYPE: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
/// The pattern of a condition's reason, as Kubernetes has it.
const REASON: &str = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";
