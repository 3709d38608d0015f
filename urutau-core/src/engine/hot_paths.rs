//! What the engine does most, for the benchmarks of this repository alone: it changes as the engine does.

use super::cluster::status_manager;
use super::hash;
use super::owner::{Owner, SeenOwner};
use super::owners::bytes_of;
use super::pass::Sent;
use super::seen::Seen;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The hash of what is declared.
pub fn hash(body: &Value) -> u64 {
    hash::value(body)
}

/// Writes what is sent of an object, and gives its length; 0 when it can't be written.
pub fn send(body: &Value, owner: &Value) -> usize {
    let sent = Sent { body, owner, uid: Some("1a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5".to_owned()), version: None };
    serde_json::to_vec(&sent).map(|text| text.len()).unwrap_or_default()
}

/// Reads an owned object as a watch shows it, and gives its version; 0 when it can't be read.
pub fn read_object(json: &str) -> u64 {
    serde_json::from_str::<Seen<()>>(json).map(|seen| seen.facts.version).unwrap_or_default()
}

/// Reads an owner as a watch shows it, and gives its version; 0 when it can't be read.
pub fn read_owner(json: &str) -> u64 {
    serde_json::from_str::<SeenOwner>(json).map(|seen| seen.owner.version).unwrap_or_default()
}

/// An owner as it is kept.
pub struct KeptOwner(Owner);

impl KeptOwner {
    /// An owner as a watch shows it; nothing when it can't be read.
    pub fn seen(json: &str, manager: &str) -> Option<Self> {
        let seen = serde_json::from_str::<SeenOwner>(json).ok()?;
        Some(Self(seen.kept(&status_manager(manager))))
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> usize {
        bytes_of(&self.0)
    }

    /// The owner as its type; nothing when it can't be read.
    pub fn typed<T: DeserializeOwned>(&self) -> Option<T> {
        self.0.typed().ok()
    }
}
