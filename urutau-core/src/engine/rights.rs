//! Whether the operator may do what it has to: asked before the first pass, again whenever something is refused, and
//! every few seconds while anything is missing.

use super::backoff::{around, random};
use super::report::Why;
use crate::kind::KindId;
use crate::rbac::{Missing, Need, missing_rights};
use kube::Client;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How often it is looked again while something is missing.
const AGAIN: Duration = Duration::from_secs(3);
/// How often while only optional rights are missing: that may be meant to stay so.
const CALM: Duration = Duration::from_secs(15);
/// A refusal is no reason to ask more often: the API server needs a moment to learn of a changed role.
const PAUSE: Duration = Duration::from_secs(1);

/// How it stands with a controller: whether it works, and what it may not do.
///
/// Clones show the same.
#[derive(Clone, Debug, Default)]
pub struct Health {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// Whether the API server has said what the operator may do.
    asked: bool,
    /// Whether everything that can be listed is.
    listed: bool,
    missing: Vec<Missing>,
}

impl Health {
    /// Whether the controller works and may do everything that it has to. A readiness probe asks this.
    pub fn is_ready(&self) -> bool {
        let state = self.state();
        state.asked && state.listed && state.missing.iter().all(|missing| missing.optional)
    }

    /// The rights that are missing, as far as is known. Without those that are optional, only what needs them is off.
    pub fn missing(&self) -> Vec<Missing> {
        self.state().missing.clone()
    }

    /// Why members of this kind that the set can do without are off, if a right on it is missing.
    pub(super) fn off(&self, kind: &KindId) -> Option<Why> {
        let state = self.state();
        let missing = state.missing.iter().filter(|missing| missing.optional && missing.concerns(kind));
        let missing: Vec<String> = missing.map(ToString::to_string).collect();
        let message = || format!("the operator may not do what it takes; missing: {}", missing.join("; "));
        (!missing.is_empty()).then(|| Why::new("RightsMissing", message()))
    }

    pub(super) fn is_asked(&self) -> bool {
        self.state().asked
    }

    pub(super) fn listed(&self) {
        self.state().listed = true;
    }

    /// Keeps what is missing now; gives whether it is less, or other, than it was.
    fn found(&self, missing: Vec<Missing>) -> Change {
        let mut state = self.state();
        let first = !std::mem::replace(&mut state.asked, true);
        let change = match (state.missing.is_empty(), missing.is_empty()) {
            _ if state.missing == missing => Change::None { first },
            (false, true) => Change::Healed,
            _ => Change::Missing,
        };
        state.missing = missing;
        change
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Change {
    None { first: bool },
    Missing,
    Healed,
}

/// What the watcher of rights needs to know.
pub(super) struct Rights {
    pub(super) health: Health,
    pub(super) need: Need,
    pub(super) namespaces: Vec<String>,
    /// The role that the advice speaks of.
    pub(super) role: String,
    doubt: Notify,
}

impl Rights {
    pub(super) fn new(health: Health, need: Need, namespaces: Vec<String>, role: String) -> Self {
        Self { health, need, namespaces, role, doubt: Notify::new() }
    }

    /// Something was refused: it may be a right that is missing, and may be a quota, an admission or the like.
    pub(super) fn doubt(&self) {
        self.doubt.notify_one();
    }

    /// Looks, for ever; `changed` is called when it is known for the first time, and at every change.
    pub(super) async fn watch(&self, client: &Client, mut changed: impl FnMut()) {
        loop {
            let again = match missing_rights(client, &self.need, &self.namespaces).await {
                Ok(missing) => {
                    let again = if missing.is_empty() {
                        None
                    } else {
                        Some(if missing.iter().all(|missing| missing.optional) { CALM } else { AGAIN })
                    };
                    let change = self.health.found(missing);
                    self.report(change);
                    if change != (Change::None { first: false }) {
                        changed();
                    }
                    again
                }
                Err(error) => {
                    tracing::warn!(%error, "can't ask the API server what the operator may do; trying again");
                    Some(AGAIN)
                }
            };
            match again {
                None => {
                    self.doubt.notified().await;
                    tokio::time::sleep(around(PAUSE, 0.25, random)).await;
                }
                Some(pause) => tokio::time::sleep(around(pause, 0.25, random)).await,
            }
        }
    }

    /// One message for all of it, with what to do.
    fn report(&self, change: Change) {
        match change {
            Change::None { .. } => {}
            Change::Healed => tracing::info!("the operator may do everything that it has to again"),
            Change::Missing => {
                let (optional, needed): (Vec<_>, Vec<_>) =
                    self.health.missing().into_iter().partition(|missing| missing.optional);
                let what = |of: &[Missing]| of.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                let patches =
                    |of: &[Missing]| of.iter().map(|missing| missing.patch(&self.role)).collect::<Vec<_>>().join("; ");
                if !needed.is_empty() {
                    tracing::error!(
                        "the operator may not do what it has to; missing: {}. Whoever may write roles adds it with: {}",
                        what(&needed),
                        patches(&needed)
                    );
                }
                if !optional.is_empty() {
                    tracing::warn!(
                        "members that the set can do without are off; missing: {}. Whoever may write roles adds it with: {}",
                        what(&optional),
                        patches(&optional)
                    );
                }
            }
        }
    }
}
