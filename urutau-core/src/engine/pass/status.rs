//! The owner's status: put together, compared with what is there, and written when it differs.

mod compose;

use self::compose::{Desired, carried, compose, entry};
use super::super::cluster::{Place, status_manager};
use super::super::core::Core;
use super::super::fault::Fault;
use super::super::gate::After;
use super::super::hash;
use super::super::mend::{self, Through};
use super::super::owner::Owner;
use super::super::report::Outcome;
use super::super::sync::lock;
use super::conclude::{Conclusion, PROGRESSING, READY};
use super::event::{self, Told};
use crate::declare::Declare;
use crate::status::OwnedRecord;
use kube::runtime::events::EventType;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Progress is not written more often: a rollout of many replicas would write each of them.
const PROGRESS: Duration = Duration::from_secs(30);

/// The status as it is, and what of it is ours.
type Previous<'a> = (&'a Value, &'a [&'a str]);

/// Writes what a pass comes to into the owner's status if that says something else, and says what follows.
pub(super) async fn finish<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    typed: Option<&S::Owner>,
    retired: Vec<OwnedRecord>,
    mut conclusion: Conclusion,
) -> After {
    conclusion.report.generation = owner.generation;
    let (previous, claims) = (owner.status(), owner.claims());
    let own = match typed.map(|typed| serde_json::to_value(S::status(typed, &conclusion.report))) {
        Some(Ok(own)) => own,
        Some(Err(error)) => {
            tracing::error!(owner = %owner.key, %error, "the author's status can't be written");
            Value::Null
        }
        None => carried(&previous, &claims),
    };
    let desired = {
        let mut records = lock(&core.table).records(&owner.key);
        records.extend(retired);
        compose(&conclusion.report, own, &previous, &records, jiff::Timestamp::now())
    };
    let before = (&previous, claims.as_slice());
    if !differs(core, owner, &desired, before) {
        core.owners.is_told(&owner.key);
        return conclusion.after;
    }
    if let Some(wait) = wait(core, owner, &desired, before, conclusion.after) {
        return sooner(conclusion.after, wait);
    }
    tell(core, owner, &conclusion, &previous).await;
    match write(core, owner, &desired, before).await {
        Ok(()) => conclusion.after,
        // The owner is gone or another by now; there will be an event.
        Err(Fault::Raced { .. } | Fault::Namespace { .. }) => After::Settled,
        Err(Fault::Absent { .. }) => {
            tracing::error!(owner = %owner.key, "its kind has no status subresource; say `status = \"…\"` in `#[kube(...)]`");
            conclusion.after
        }
        Err(fault) => {
            tracing::warn!(owner = %owner.key, error = %fault, "can't write the status");
            match fault {
                Fault::Busy { wait, .. } => After::Busy(wait),
                _ => After::Failed(Duration::ZERO),
            }
        }
    }
}

fn differs<S: Declare>(core: &Core<S>, owner: &Owner, desired: &Desired, (previous, claims): Previous<'_>) -> bool {
    if desired.is_in(previous, claims) {
        return false;
    }
    // The API server made something else of it the last time (defaults, fields that its schema does not know). It would
    // again.
    let sent = core.owners.written(&owner.key).sent;
    sent.is_none_or(|sent| sent != (hash::value(&desired.body), owner.status))
}

/// How long what is to be written can wait. Whatever waits is written when the process ends, if not before.
fn wait<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    desired: &Desired,
    before: Previous<'_>,
    after: After,
) -> Option<Duration> {
    let progress = can_wait(core, owner, desired, before);
    let (previous, claims) = before;
    // What was written of objects is for the next start alone. After a failure there may be no other pass for long.
    let records = matches!(after, After::Settled | After::Again(_)) && desired.differs_by_records(previous, claims);
    if progress.is_none() && !records {
        return None;
    }
    let since = core.owners.let_wait(&owner.key, desired.body.clone())?;
    progress.or_else(|| core.repairs.pause(since))
}

/// Writes every status that waits.
pub(super) async fn write_overdue<S: Declare>(core: &Core<S>) {
    for (owner, status) in core.owners.take_overdue() {
        if let Err(fault) = core.cluster.write_status(&core.kind, &owner.key, &owner.uid, &status).await {
            tracing::debug!(owner = %owner.key, error = %fault, "can't write the status at the end");
        }
    }
}

/// How long a change can wait that is no more than progress, or than the time at which somebody looked.
fn can_wait<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    desired: &Desired,
    (previous, claims): Previous<'_>,
) -> Option<Duration> {
    let since = core.owners.written(&owner.key).at?.elapsed();
    let generation = owner.generation.is_none() || previous["observedGeneration"].as_i64() == owner.generation;
    let progresses = |status: &Value| entry(status, READY).is_some_and(|ready| ready["reason"] == PROGRESSING);
    let progress = generation && progresses(previous) && progresses(&desired.body);
    if !progress && !desired.differs_by_times(previous, claims) {
        return None;
    }
    PROGRESS.checked_sub(since).filter(|wait| !wait.is_zero())
}

fn sooner(after: After, wait: Duration) -> After {
    match after {
        After::Settled => After::Again(wait),
        After::Again(other) => After::Again(other.min(wait)),
        // It comes back anyway.
        After::Failed(_) | After::Busy(_) => after,
    }
}

async fn write<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    desired: &Desired,
    (previous, claims): Previous<'_>,
) -> Result<(), Fault> {
    let expected = desired.merged(previous, claims).hash();
    core.owners.note(&owner.key, |written| written.expected = expected);
    let answer = match core.cluster.write_status(&core.kind, &owner.key, &owner.uid, &desired.body).await {
        Err(Fault::Outdated { version, .. }) => {
            let at = Place { kind: &core.kind, namespace: owner.key.namespace(), name: owner.key.name() };
            mend::forget(&core.cluster, at, Through::Status, &version).await?;
            event::publish(core, owner, &Told::mended(mend::note(at, &version))).await;
            core.cluster.write_status(&core.kind, &owner.key, &owner.uid, &desired.body).await
        }
        answer => answer,
    }?;
    let seen = answer.kept(&status_manager(&core.cluster.manager));
    let sent = (hash::value(&desired.body), seen.status);
    core.owners.note(&owner.key, |written| {
        written.expected = seen.status;
        written.sent = Some(sent);
        written.at = Some(Instant::now());
    });
    core.owners.is_told(&owner.key);
    core.owners.answered(seen);
    Ok(())
}

/// Tells of a change for the worse by an event: once, because the status says the same from then on.
async fn tell<S: Declare>(core: &Core<S>, owner: &Owner, conclusion: &Conclusion, previous: &Value) {
    if !conclusion.news {
        return;
    }
    let Some(ready) = conclusion.report.conditions.iter().find(|condition| condition.type_ == READY) else { return };
    let told = entry(previous, READY);
    if told.is_some_and(|told| told["reason"] == ready.reason.as_str() && told["message"] == ready.message.as_str()) {
        return;
    }
    tracing::warn!(owner = %owner.key, reason = ready.reason, "{}", ready.message);
    let action = match conclusion.report.outcome {
        Outcome::Invalid(_) => "Declare",
        _ => "Apply",
    };
    let (reason, note) = (ready.reason.clone(), ready.message.clone());
    event::publish(core, owner, &Told { type_: EventType::Warning, reason, action, note }).await;
}
