//! The owner's status: put together, compared with what is there, and written when it differs.

mod compose;

use self::compose::{Desired, carried, compose};
use super::super::cluster::{Place, status_manager};
use super::super::core::Core;
use super::super::fault::Fault;
use super::super::gate::After;
use super::super::hash;
use super::super::owner::{Owner, status_hash};
use super::super::report::Outcome;
use super::super::sync::lock;
use super::conclude::{Conclusion, PROGRESSING, READY};
use crate::declare::Declare;
use crate::status::{OwnedRecord, cut};
use k8s_openapi::api::core::v1::ObjectReference;
use kube::runtime::events::{Event, EventType};
use serde_json::Value;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Progress is not written more often: a rollout of many replicas would write each of them.
const PROGRESS: Duration = Duration::from_secs(30);
/// The most bytes that the note of an event can have.
const NOTE: usize = 1024;

/// Writes what a pass comes to into the owner's status if that says something else, and says what follows.
pub(super) async fn finish<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    object: &Value,
    typed: Option<&S::Owner>,
    retired: Vec<OwnedRecord>,
    mut conclusion: Conclusion,
) -> After {
    conclusion.report.generation = owner.generation;
    let previous = object.get("status").cloned().unwrap_or_default();
    let own = match typed.map(|typed| serde_json::to_value(S::status(typed, &conclusion.report))) {
        Some(Ok(own)) => own,
        Some(Err(error)) => {
            tracing::error!(owner = %owner.key, %error, "the author's status can't be written");
            Value::Null
        }
        None => carried(&previous, &owner.claims),
    };
    let desired = {
        let mut records = lock(&core.table).records(&owner.key);
        records.extend(retired);
        compose(&conclusion.report, own, &previous, &records, jiff::Timestamp::now())
    };
    if !differs(core, owner, &desired, &previous) {
        return conclusion.after;
    }
    if let Some(wait) = can_wait(core, owner, &desired, &previous) {
        return sooner(conclusion.after, wait);
    }
    tell(core, owner, &conclusion, &previous).await;
    match write(core, owner, &desired, &previous).await {
        Ok(()) => conclusion.after,
        // The owner is gone or another by now; there will be an event.
        Err(Fault::Raced { .. } | Fault::Namespace { .. }) => After::Settled,
        Err(Fault::Absent { .. }) => {
            tracing::error!(owner = %owner.key, "its kind has no status subresource; say `status = \"…\"` in `#[kube(...)]`");
            conclusion.after
        }
        Err(fault) => {
            tracing::warn!(owner = %owner.key, error = %fault, "can't write the status");
            After::Failed(match fault {
                Fault::Busy { wait, .. } => wait,
                _ => Duration::ZERO,
            })
        }
    }
}

fn differs<S: Declare>(core: &Core<S>, owner: &Owner, desired: &Desired, previous: &Value) -> bool {
    if desired.is_in(previous, &owner.claims) {
        return false;
    }
    // The API server made something else of it the last time (defaults, fields that its schema does not know). It would
    // again.
    let sent = core.owners.written(&owner.key).sent;
    sent != Some((hash::value(&desired.body), owner.status))
}

/// How long a change can wait that is no more than progress.
fn can_wait<S: Declare>(core: &Core<S>, owner: &Owner, desired: &Desired, previous: &Value) -> Option<Duration> {
    let generation = owner.generation.is_none() || previous["observedGeneration"].as_i64() == owner.generation;
    let progresses = |status: &Value| {
        let conditions = status["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let ready = conditions.iter().find(|condition| condition["type"] == READY);
        ready.is_some_and(|ready| ready["reason"] == PROGRESSING)
    };
    if !generation || !progresses(previous) || !progresses(&desired.body) {
        return None;
    }
    let since = core.owners.written(&owner.key).at?.elapsed();
    PROGRESS.checked_sub(since).filter(|wait| !wait.is_zero())
}

fn sooner(after: After, wait: Duration) -> After {
    match after {
        After::Settled => After::Again(wait),
        After::Again(other) => After::Again(other.min(wait)),
        // It comes back anyway.
        After::Failed(at_least) => After::Failed(at_least),
    }
}

async fn write<S: Declare>(core: &Core<S>, owner: &Owner, desired: &Desired, previous: &Value) -> Result<(), Fault> {
    let expected = status_hash(Some(&desired.merged(previous, &owner.claims)));
    core.owners.note(&owner.key, |written| written.expected = expected);
    let answer = core.cluster.write_status(&core.kind, &owner.key, &owner.uid, &desired.body).await?;
    let seen = answer.kept(&status_manager(&core.cluster.manager));
    let sent = (hash::value(&desired.body), seen.status);
    core.owners.note(&owner.key, |written| {
        written.expected = seen.status;
        written.sent = Some(sent);
        written.at = Some(Instant::now());
    });
    core.owners.answered(seen);
    Ok(())
}

/// Tells of a change for the worse by an event: once, because the status says the same from then on.
async fn tell<S: Declare>(core: &Core<S>, owner: &Owner, conclusion: &Conclusion, previous: &Value) {
    if !conclusion.news {
        return;
    }
    let Some(ready) = conclusion.report.conditions.iter().find(|condition| condition.type_ == READY) else { return };
    let conditions = previous["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
    let told = conditions.iter().find(|condition| condition["type"] == READY);
    if told.is_some_and(|told| told["reason"] == ready.reason.as_str() && told["message"] == ready.message.as_str()) {
        return;
    }
    tracing::warn!(owner = %owner.key, reason = ready.reason, "{}", ready.message);
    let event = Event {
        type_: EventType::Warning,
        reason: ready.reason.clone(),
        note: Some(cut(&ready.message, NOTE)),
        // The recorder counts up what has the same action and reason, and leaves out what it is about: the text of the
        // action tells one message from the next, and the same message again is the same event.
        action: match conclusion.report.outcome {
            Outcome::Invalid(_) => format!("Declare-{:016x}", hash::bytes(ready.message.as_bytes())),
            _ => format!("Apply-{:016x}", hash::bytes(ready.message.as_bytes())),
        },
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
