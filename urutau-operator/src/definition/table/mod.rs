//! One table: what it is read from, how it is written, and by how many workers.

mod bootstrap;
mod columns;
mod enrich;
mod filter;
mod modes;
mod partition;
mod workers;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub use bootstrap::{Bootstrap, BootstrapMode, StartAt};
pub use columns::Metadata;
pub use enrich::{BufferLimits, Enrich, EnrichSource, JoinType, OnColdStart};
pub use filter::{Filter, Operator, Predicate};
pub use modes::{Mode, OnDelete, WriteMode};
pub use partition::{Partition, Transform};
pub use workers::Workers;

use super::document::Around;
use crate::shape::At;

/// One table: what it is read from, how it is written, and by how many workers.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Table {
    /// The table or topic that is read.
    pub source: String,
    /// The table that is written.
    pub target: String,
    /// The columns that tell rows apart. Required to upsert.
    #[serde(default)]
    pub primary_key: Vec<String>,
    /// How the target is partitioned: day(column), month, year, hour or identity, bucket(N,column) or
    /// truncate(N,column).
    #[serde(default)]
    pub partition_by: Vec<Partition>,
    /// Which rows are replicated.
    pub filter: Option<Filter>,
    /// The author's word that the columns of the filter never change. Required to append with a filter.
    #[serde(default)]
    pub filter_immutable: bool,
    /// How the target is written: upsert (the default), append or append-idempotent.
    pub write_mode: Option<WriteMode>,
    /// What to do with a deleted row: record (the default) or skip. Only to append.
    pub on_delete: Option<OnDelete>,
    /// The columns that tell a message apart when it is read again. Only for append-idempotent from kafka.
    #[serde(default)]
    pub identity: Vec<String>,
    /// How many workers write the table, and what each gets.
    pub workers: Option<Workers>,
    /// Whether to create the target where there is none.
    #[serde(default)]
    pub create_if_not_exists: bool,
    /// Columns of the target that tell about the change instead of holding it.
    #[serde(default)]
    pub metadata: Vec<Metadata>,
    /// The type of a column in the target, by its name in the source.
    #[serde(default)]
    pub cast: BTreeMap<String, String>,
    /// The columns and their types, for a source that can't tell them.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// The columns that are replicated. Absent: all. The primary key must be among them.
    pub column_filter: Option<Vec<String>>,
    /// The column by which a snapshot is cut into chunks. One of the primary key.
    pub chunk_column: Option<String>,
    /// How changes are found: cdc (the default), from the log, or incremental, by a cursor.
    #[serde(default)]
    pub mode: Mode,
    /// The column that grows with every change. For mode incremental.
    pub cursor: Option<String>,
    /// How the target is filled before changes are applied to it.
    pub bootstrap: Option<Bootstrap>,
    /// Tables that columns are looked up in.
    #[serde(default)]
    pub enrich: Vec<Enrich>,
}

impl Table {
    /// How many workers the table has: at least one.
    pub fn worker_count(&self) -> u32 {
        self.workers.as_ref().map_or(1, Workers::count)
    }

    /// How many workers it may grow to, when that is more than it begins with.
    pub fn elastic_max(&self) -> Option<u32> {
        self.workers.as_ref().and_then(|workers| workers.max).filter(|max| *max > self.worker_count())
    }

    pub(super) fn check(&self, around: &Around<'_>, at: &mut At<'_>) {
        self.check_modes(around, at);
        self.check_columns(at);
        if let Some(filter) = &self.filter {
            filter.check(&mut at.field("filter"));
        }
        if let Some(workers) = &self.workers {
            let target = at.sound("target", self.target.as_str());
            workers.check(target, around, &mut at.field("workers"));
        }
        if let Some(bootstrap) = &self.bootstrap {
            bootstrap.check(&mut at.field("bootstrap"));
        }
        enrich::check(&self.enrich, at);
    }
}
