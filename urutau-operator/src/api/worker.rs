//! The processes that write the tables.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::coordinator::ADDRESS;
use crate::quantity::Quantity;
use crate::shape::input;
use crate::text::Address;

/// The processes that write the tables, for every table that does not say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = input)]
#[non_exhaustive]
pub struct Worker {
    /// The cpu that a worker asks for, unless its table says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Quantity>,
    /// The cpu that a worker may take beyond what it asks for.
    #[serde(default, rename = "cpu_overhead", skip_serializing_if = "Option::is_none")]
    pub cpu_overhead: Option<Quantity>,
    /// The memory that a worker asks for, unless its table says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Quantity>,
    /// The memory that a worker may take beyond what it asks for.
    #[serde(default, rename = "memory_overhead", skip_serializing_if = "Option::is_none")]
    pub memory_overhead: Option<Quantity>,
    /// Where a worker serves its metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maxLength" = 260, "pattern" = ADDRESS))]
    pub metrics_addr: Option<Address>,
}
