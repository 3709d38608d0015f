//! Events about an owner.

use super::super::cluster::{Place, within};
use super::super::core::Core;
use super::super::hash;
use super::super::owner::Owner;
use super::super::repairs::About;
use crate::declare::Declare;
use crate::status::cut;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::runtime::events::{Event, EventType};
use std::sync::atomic::Ordering;

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

/// Tells that an object of an owner was put right, when there is nothing more urgent.
pub(super) fn repaired<S: Declare>(core: &Core<S>, owner: &Owner, object: &str, what: &str) {
    let note = format!("{object}: {what}; it is as declared again");
    core.repairs.note(About::of(owner), note);
}

/// Writes the events of what was put right, one after the other, for ever.
pub(in super::super) async fn tell_repairs<S: Declare>(core: &Core<S>) {
    loop {
        core.repairs.wait().await;
        flush_repairs(core).await;
    }
}

/// Writes those that wait.
pub(in super::super) async fn flush_repairs<S: Declare>(core: &Core<S>) {
    while let Some((about, note)) = core.repairs.next() {
        let told = Told { type_: EventType::Normal, reason: "Repaired".to_owned(), action: "Apply", note };
        write(core, &about, &told).await;
        core.repairs.told();
    }
}

/// Writes an event about an owner. That it can't be written is no reason to do anything else.
pub(super) async fn publish<S: Declare>(core: &Core<S>, owner: &Owner, told: &Told) {
    write(core, &About::of(owner), told).await;
}

async fn write<S: Declare>(core: &Core<S>, owner: &About, told: &Told) {
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
    match within(core.recorder.publish(&event, &regarding)).await {
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
