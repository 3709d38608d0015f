//! Events about an owner.

use super::super::cluster::Place;
use super::super::core::Core;
use super::super::hash;
use super::super::owner::Owner;
use super::super::sync::lock;
use crate::declare::Declare;
use crate::status::cut;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::runtime::events::{Event, EventType};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The most bytes that the note of an event can have.
const NOTE: usize = 1024;

/// What an event tells.
pub(super) struct Told {
    pub(super) type_: EventType,
    pub(super) reason: String,
    /// What was being done.
    pub(super) action: &'static str,
    pub(super) note: String,
}

impl Told {
    /// An object was deleted to be made anew.
    pub(super) fn recreated(note: String) -> Self {
        Self { type_: EventType::Normal, reason: "Recreated".to_owned(), action: "Apply", note }
    }

    /// Entries of managed fields were removed that nobody can read.
    pub(super) fn mended(note: String) -> Self {
        Self { type_: EventType::Normal, reason: "ManagedFieldsMended".to_owned(), action: "Apply", note }
    }
}

/// Tells that an object of an owner was put right: the same of the same object not more often than now and then, so that
/// nobody who changes it over and over fills the cluster with events.
pub(super) async fn repaired<S: Declare>(core: &Core<S>, owner: &Owner, object: &str, what: &str) {
    let note = format!("{object}: {what}; it is as declared again");
    let key = hash::bytes(format!("{}/{note}", owner.uid).as_bytes());
    if !lock(&core.repairs).is_news(key, Instant::now()) {
        return;
    }
    let told = Told { type_: EventType::Normal, reason: "Repaired".to_owned(), action: "Apply", note };
    publish(core, owner, &told).await;
}

/// What was told of late.
#[derive(Debug, Default)]
pub(in super::super) struct Recent(HashMap<u64, Instant>);

/// How long the same is not told again.
const QUIET: Duration = Duration::from_secs(300);
/// How much is remembered. When as much was told within that time, nobody misses the next.
const REMEMBERED: usize = 1024;

impl Recent {
    fn is_news(&mut self, key: u64, now: Instant) -> bool {
        let lately = |at: Instant| now.duration_since(at) < QUIET;
        if self.0.get(&key).is_some_and(|at| lately(*at)) {
            return false;
        }
        if self.0.len() >= REMEMBERED {
            self.0.retain(|_, at| lately(*at));
        }
        let room = self.0.len() < REMEMBERED;
        if room {
            self.0.insert(key, now);
        }
        room
    }
}

/// Writes an event about an owner. That it can't be written is no reason to do anything else.
pub(super) async fn publish<S: Declare>(core: &Core<S>, owner: &Owner, told: &Told) {
    let event = Event {
        type_: told.type_,
        reason: told.reason.clone(),
        note: Some(cut(&told.note, NOTE)),
        // The recorder counts up what has the same action and reason, and leaves out what it is about: the text of the
        // action tells one message from the next, and the same message again is the same event.
        action: format!("{}-{:016x}", told.action, hash::bytes(told.note.as_bytes())),
        secondary: None,
    };
    let at = Place { kind: &core.kind, namespace: owner.key.namespace(), name: owner.key.name() };
    let regarding = ObjectReference {
        api_version: Some(core.kind.api_version()),
        kind: Some(core.kind.kind.to_owned()),
        namespace: (!at.namespace.is_empty()).then(|| at.namespace.to_owned()),
        name: Some(at.name.to_owned()),
        uid: Some(owner.uid.to_string()),
        ..ObjectReference::default()
    };
    match core.recorder.publish(&event, &regarding).await {
        Ok(()) => core.mute.store(false, Ordering::Relaxed),
        Err(error) => {
            let why = match &error {
                kube::Error::Api(status) => status.message.clone(),
                other => other.to_string(),
            };
            if matches!(&error, kube::Error::Api(status) if status.code == 403) {
                core.rights.doubt();
            }
            // The status says what the event would have said, so nothing waits for it.
            if !core.mute.swap(true, Ordering::Relaxed) {
                tracing::warn!(owner = %owner.key, "can't write events, which is said once until one is written: {why}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_30_the_same_is_not_told_again_for_a_while_and_no_more_than_can_be_remembered() {
        let (mut recent, now) = (Recent::default(), Instant::now());
        assert!(recent.is_news(1, now) && !recent.is_news(1, now + QUIET / 2) && recent.is_news(1, now + QUIET));
        let many = (0..5000).filter(|key| recent.is_news(*key, now + QUIET)).count();
        assert!(many < REMEMBERED && recent.0.len() == REMEMBERED);
        assert!(recent.is_news(7, now + QUIET * 2));
    }
}
