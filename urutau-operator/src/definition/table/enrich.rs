//! Tables that columns are looked up in.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::shape::At;
use crate::text::Duration;

/// A table that columns are looked up in.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Enrich {
    /// The name under which the table is joined. Each only once.
    pub table: String,
    /// Where its rows come from.
    pub source: Option<EnrichSource>,
    /// The condition of the join.
    pub on: Option<String>,
    /// The columns that are taken over.
    #[serde(default)]
    pub select: Vec<String>,
    /// The name that the columns are taken over under.
    pub r#as: Option<String>,
    /// What becomes of rows without a match: left, left outer, inner, left semi or left anti.
    pub join_type: Option<JoinType>,
    /// How often the table is read anew. Default 5m.
    #[serde(default = "refresh")]
    pub refresh: Duration,
    /// What to do with changes until the table has been read: buffer, pass or drop.
    pub on_cold_start: Option<OnColdStart>,
    /// How much is kept while buffering.
    pub buffer_limits: Option<BufferLimits>,
    /// How many rows the table may have.
    #[schemars(range(min = 1))]
    pub max_rows: Option<u64>,
}

/// Where the rows of a looked up table come from.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EnrichSource {
    /// The database.
    pub uri: Option<String>,
    /// The query.
    pub query: Option<String>,
}

/// How much is kept while buffering.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BufferLimits {
    /// How many changes.
    #[schemars(range(min = 1))]
    pub max_events: Option<u64>,
    /// For how long.
    pub max_wait: Option<Duration>,
}

/// What becomes of rows without a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum JoinType {
    /// They stay, with nothing in the columns.
    Left,
    /// The same.
    #[serde(rename = "left outer")]
    LeftOuter,
    /// They are left out.
    Inner,
    /// They are left out, and nothing is taken over.
    #[serde(rename = "left semi")]
    LeftSemi,
    /// Only they stay.
    #[serde(rename = "left anti")]
    LeftAnti,
}

/// What to do with changes until a table has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnColdStart {
    /// Keep them until then.
    Buffer,
    /// Write them without the columns.
    Pass,
    /// Leave them out.
    Drop,
}

fn refresh() -> Duration {
    Duration::minutes(5)
}

/// A table is joined under one name only.
pub(super) fn check(all: &[Enrich], at: &mut At<'_>) {
    let mut first = BTreeMap::new();
    for (index, enrich) in all.iter().enumerate() {
        let path = format!("enrich[{index}].table");
        if !at.is_sound(&path) {
            continue;
        }
        match first.get(&enrich.table) {
            Some(earlier) => at.refuse(
                &path,
                format!("{:?} is the table of enrich[{earlier}] already", enrich.table),
                "name each only once",
            ),
            None => _ = first.insert(&enrich.table, index),
        }
    }
}
