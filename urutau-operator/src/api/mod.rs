//! The `CDCPipeline`: what a user writes, and what the operator answers.
//!
//! The types are the schema: each sentence here is what `kubectl explain` says, and each rule that one field can be
//! held to alone is in it. What asks for more than the schema language can say is in [`read`], which reports all
//! problems of a manifest at once and by path; it is what `render` and the webhook use.

#![allow(clippy::doc_markdown, reason = "what is said of a field is its description in the schema too: plain text")]

mod coordinator;
mod definition;
mod read;
mod status;
#[cfg(test)]
mod tests;
mod worker;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use urutau_core::Kind;

pub use coordinator::{Coordinator, Snapshot, State, Supervision, TlsSecrets};
pub use definition::{Definition, Inline};
pub(crate) use read::METADATA;
pub use read::{Checked, check, check_change, read};
pub use status::{Phase, PipelineStatus, Terminated};
pub use worker::Worker;

use crate::shape::input;

/// The group of the API.
pub const GROUP: &str = "urutau.io";
/// The longest name of a `CDCPipeline`: what is named after it needs room for more.
pub const LONGEST_NAME: usize = 40;

/// What a pipeline is to replicate, and with what means.
#[derive(CustomResource, Kind, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "urutau.io",
    version = "v1alpha1",
    kind = "CDCPipeline",
    plural = "cdcpipelines",
    namespaced,
    status = "PipelineStatus",
    shortname = "cdc",
    category = "urutau",
    doc = "Replicates the changes of a database or of Kafka topics into tables.",
    derive = "PartialEq",
    derive = "Default",
    printcolumn(name = "Phase", type_ = "string", json_path = ".status.phase"),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(name = "Tables", type_ = "integer", json_path = ".status.tables"),
    printcolumn(name = "Workers", type_ = "integer", json_path = ".status.workers"),
    printcolumn(name = "Image", type_ = "string", json_path = ".spec.image", priority = 1),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    validation = Rule::new("self.metadata.name.size() <= 40")
        .message("metadata.name: at most 40 characters, as everything else is named after it"),
    validation = Rule::new("self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')")
        .message("metadata.name: a lower case letter, then lower case letters, digits and dashes, no dash at the end")
)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct CDCPipelineSpec {
    /// The image of the coordinator and of the workers. Empty: the operator's own default. Where there is none either,
    /// neither workers nor the coordinator's StatefulSet are declared, and a condition says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// How much the coordinator and the workers log: debug, info, warn or error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_level: Option<LogLevel>,
    /// The pipeline document.
    #[serde(default, skip_serializing_if = "is_default")]
    pub definition: Definition,
    /// The Secrets that hold what should not stand in the document.
    #[serde(default, skip_serializing_if = "is_default")]
    pub secrets: Secrets,
    /// The one process that reads the source.
    #[serde(default)]
    pub coordinator: Coordinator,
    /// The processes that write the tables, for every table that does not say otherwise.
    #[serde(default, skip_serializing_if = "is_default")]
    pub worker: Worker,
    /// Whether to leave the objects of this pipeline as they are. What runs goes on running.
    #[serde(default)]
    pub suspend: bool,
}

/// How much a process logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LogLevel {
    /// Everything.
    Debug,
    /// What happens.
    Info,
    /// What may be wrong.
    Warn,
    /// What is wrong.
    Error,
}

impl LogLevel {
    /// The word for it on a command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// The Secrets that hold what should not stand in the document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct Secrets {
    /// The Secret of the source, with the key uri.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub source: Option<String>,
    /// The Secret of the sink, with the key uri and, where needed, clientId, clientSecret and scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub catalog: Option<String>,
    /// The Secret of the host to tunnel through, with the key privateKey.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 253, "pattern" = SECRET_NAME))]
    pub ssh: Option<String>,
}

/// The name of a Secret: a DNS subdomain.
const SECRET_NAME: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// Whether a part says nothing, so that there is no need to write it.
fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}
