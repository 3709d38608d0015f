//! How a target is filled before changes are applied to it.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::shape::At;

/// How the target is filled before changes are applied to it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Bootstrap {
    /// Where the rows come from: snapshot, adopt or adopt-verify.
    pub mode: Option<BootstrapMode>,
    /// Where the changes begin: current or explicit.
    pub start_at: Option<StartAt>,
    /// The position at which the changes begin. For startAt explicit, and for nothing else.
    pub position: Option<String>,
}

/// Where the rows of a target come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BootstrapMode {
    /// They are read from the source.
    Snapshot,
    /// They are there already.
    Adopt,
    /// They are there already, and are compared with the source.
    AdoptVerify,
}

/// Where the changes begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StartAt {
    /// Where the source is now.
    Current,
    /// At the given position.
    Explicit,
}

impl Bootstrap {
    pub(super) fn check(&self, at: &mut At<'_>) {
        if !at.are_sound(&["startAt", "position"]) {
            return;
        }
        match (self.start_at, &self.position) {
            (Some(StartAt::Explicit), None) => {
                at.refuse("position", "required for startAt explicit", "write the position at which to begin");
            }
            (None | Some(StartAt::Current), Some(_)) => {
                at.refuse("position", "only for startAt explicit", "remove it, or write startAt: explicit");
            }
            _ => {}
        }
    }
}
