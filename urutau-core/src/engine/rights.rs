//! Whether the operator may do what it has to: asked before the first pass, again whenever something is refused, and
//! every few seconds while anything is missing.

use super::backoff::{around, random};
use crate::rbac::{Missing, Need, missing_rights};
use kube::Client;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How often it is looked again while something is missing.
const AGAIN: Duration = Duration::from_secs(3);
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
        state.asked && state.listed && state.missing.is_empty()
    }

    /// The rights that are missing, as far as is known.
    pub fn missing(&self) -> Vec<Missing> {
        self.state().missing.clone()
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
            let complete = match missing_rights(client, &self.need, &self.namespaces).await {
                Ok(missing) => {
                    let complete = missing.is_empty();
                    let change = self.health.found(missing);
                    self.report(change);
                    if change != (Change::None { first: false }) {
                        changed();
                    }
                    complete
                }
                Err(error) => {
                    tracing::warn!(%error, "can't ask the API server what the operator may do; trying again");
                    false
                }
            };
            if complete {
                self.doubt.notified().await;
                tokio::time::sleep(around(PAUSE, 0.25, random)).await;
            } else {
                tokio::time::sleep(around(AGAIN, 0.25, random)).await;
            }
        }
    }

    /// One message for all of it, with what to do.
    fn report(&self, change: Change) {
        match change {
            Change::None { .. } => {}
            Change::Healed => tracing::info!("the operator may do everything that it has to again"),
            Change::Missing => {
                let missing = self.health.missing();
                let what: Vec<String> = missing.iter().map(ToString::to_string).collect();
                let patches: Vec<String> = missing.iter().map(|missing| missing.patch(&self.role)).collect();
                tracing::error!(
                    "the operator may not do what it has to; missing: {}. Whoever may write roles adds it with: {}",
                    what.join("; "),
                    patches.join("; ")
                );
            }
        }
    }
}
