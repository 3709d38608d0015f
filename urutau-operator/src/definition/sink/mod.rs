//! Where the changes go to.

mod maintenance;

use schemars::JsonSchema;
use serde::Deserialize;

pub use maintenance::{Compaction, Maintenance, OrphanCleanup, SnapshotExpiry};

use super::WriteMode;
use crate::shape::{At, Problem, nearest};
use crate::text::Size;

/// Where the changes go to.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sink {
    /// The kind of the sink: iceberg+rest (the default), another iceberg+..., iceberg, clickhouse or couchbase.
    pub r#type: Option<String>,
    /// Where it is. Empty: taken from the Secret that secrets.catalog names.
    pub uri: Option<String>,
    /// The namespace, database or bucket that the targets are in.
    pub namespace: String,
    /// The warehouse of an Iceberg catalog.
    pub warehouse: Option<String>,
    /// The client's id. Empty: taken from the Secret that secrets.catalog names.
    pub client_id: Option<String>,
    /// The client's secret. Empty: taken from the Secret that secrets.catalog names.
    pub client_secret: Option<String>,
    /// The scope to ask for. Empty: taken from the Secret that secrets.catalog names.
    pub scope: Option<String>,
    /// What holds for every table that does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// How a batch is committed: fast or atomic. Only for couchbase.
    pub commit_mode: Option<CommitMode>,
    /// Whether new columns of the source are added to the target. Only for Iceberg.
    #[serde(default)]
    pub evolve_schema: bool,
    /// What is done to the tables from time to time. Only for Iceberg.
    pub maintenance: Option<Maintenance>,
}

/// What holds for every table that does not say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Defaults {
    /// How tables are written: upsert, append or append-idempotent.
    pub write_mode: Option<WriteMode>,
    /// How large data files should become, in Ki, Mi, Gi or Ti.
    pub target_file_size: Option<Size>,
}

/// How a batch is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CommitMode {
    /// Document by document.
    Fast,
    /// In one transaction with the position.
    Atomic,
}

/// The kind of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SinkKind {
    /// Iceberg tables, in whatever catalog.
    Iceberg,
    /// ClickHouse tables.
    ClickHouse,
    /// Couchbase collections.
    Couchbase,
    /// A sink that the coordinator may know and we don't.
    Other,
}

impl Sink {
    /// The type as it is used: `iceberg+rest` when none is given.
    pub fn type_name(&self) -> &str {
        self.r#type.as_deref().unwrap_or("iceberg+rest")
    }

    /// The kind that the type belongs to.
    pub fn kind(&self) -> SinkKind {
        match self.type_name() {
            "iceberg" => SinkKind::Iceberg,
            "clickhouse" => SinkKind::ClickHouse,
            "couchbase" => SinkKind::Couchbase,
            name if name.strip_prefix("iceberg+").is_some_and(|catalog| !catalog.is_empty()) => SinkKind::Iceberg,
            _ => SinkKind::Other,
        }
    }

    /// Whether several workers may write one table without one of them undoing what another did.
    pub fn supports_concurrent_writers(&self) -> bool {
        match self.kind() {
            SinkKind::Iceberg | SinkKind::ClickHouse => true,
            SinkKind::Couchbase => self.commit_mode == Some(CommitMode::Atomic),
            SinkKind::Other => false,
        }
    }

    pub(super) fn check(&self, at: &mut At<'_>) {
        let Some(kind) = at.sound("type", self.kind()) else {
            return;
        };
        let is_iceberg = kind == SinkKind::Iceberg;
        if is_iceberg && at.is_sound("namespace") && self.namespace.split('.').any(str::is_empty) {
            at.refuse(
                "namespace",
                format!("{:?} has an empty part between its dots", self.namespace),
                "name every level, such as raw or lake.raw",
            );
        }
        if kind != SinkKind::Couchbase && self.commit_mode.is_some() {
            at.refuse("commitMode", "only for type couchbase", "remove it");
        }
        if !is_iceberg && self.evolve_schema {
            at.refuse("evolveSchema", "only for Iceberg", "remove it");
        }
        if !is_iceberg && self.maintenance.is_some() {
            at.refuse("maintenance", "only for Iceberg", "remove it");
        }
    }

    pub(super) fn warnings(&self) -> Vec<Problem> {
        if self.kind() != SinkKind::Other {
            return Vec::new();
        }
        let known = ["iceberg+rest", "iceberg", "clickhouse", "couchbase"];
        let fix = match nearest(self.type_name(), known) {
            Some(meant) => format!("did you mean {meant:?}?"),
            None => format!("known are {} and iceberg+ with any catalog", known.join(", ")),
        };
        vec![Problem::new("sink.type", format!("{:?} is not a type that is known here", self.type_name()), fix)]
    }
}
