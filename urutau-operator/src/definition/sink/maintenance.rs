//! What is done to Iceberg tables from time to time.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::text::{Duration, Size};

/// What is done to the tables from time to time.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Maintenance {
    /// Whether any of it is done.
    pub enabled: bool,
    /// Small files are made into larger ones.
    pub compaction: Compaction,
    /// Old snapshots are removed.
    pub snapshot_expiry: SnapshotExpiry,
    /// Files that no snapshot refers to are removed.
    pub orphan_cleanup: OrphanCleanup,
}

/// Small files are made into larger ones.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct Compaction {
    /// How often. Default 5m.
    pub interval: Duration,
    /// How large files should become, in Ki, Mi, Gi or Ti. Default 512Mi.
    pub target_file_size: Size,
    /// How many small files there must be. Default 5.
    #[schemars(range(min = 1))]
    pub min_input_files: u32,
}

/// Old snapshots are removed.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct SnapshotExpiry {
    /// How often. Default 10m.
    pub interval: Duration,
    /// How many of the latest are kept however old they are. Default 1.
    #[schemars(range(min = 1))]
    pub retain_last: u32,
    /// How old a snapshot may become. Default 168h.
    pub max_age: Duration,
}

/// Files that no snapshot refers to are removed.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct OrphanCleanup {
    /// How often. Default 1h.
    pub interval: Duration,
    /// How old such a file must be. Default 72h.
    pub older_than: Duration,
}

impl Default for Compaction {
    fn default() -> Self {
        Self { interval: Duration::minutes(5), target_file_size: Size::mebibytes(512), min_input_files: 5 }
    }
}

impl Default for SnapshotExpiry {
    fn default() -> Self {
        Self { interval: Duration::minutes(10), retain_last: 1, max_age: Duration::hours(168) }
    }
}

impl Default for OrphanCleanup {
    fn default() -> Self {
        Self { interval: Duration::hours(1), older_than: Duration::hours(72) }
    }
}
