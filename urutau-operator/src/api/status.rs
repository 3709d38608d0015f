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
    /// Conditions, the generation that all of this is about, and the objects that belong to it.
    #[serde(flatten)]
    pub common: urutau_core::Status,
    /// How many tables it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<i32>,
    /// How many workers it is to have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<i32>,
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
