//! What the engine does most, for the benchmarks of this repository alone: it changes as the engine does.

use super::hash;
use super::owner::SeenOwner;
use super::seen::Seen;
use serde_json::Value;

/// The hash of what is declared.
pub fn hash(body: &Value) -> u64 {
    hash::value(body)
}

/// Reads an owned object as a watch shows it, and gives its version; 0 when it can't be read.
pub fn read_object(json: &str) -> u64 {
    serde_json::from_str::<Seen<()>>(json).map(|seen| seen.facts.version).unwrap_or_default()
}

/// Reads an owner as a watch shows it, and gives its version; 0 when it can't be read.
pub fn read_owner(json: &str) -> u64 {
    serde_json::from_str::<SeenOwner>(json).map(|seen| seen.owner.version).unwrap_or_default()
}
