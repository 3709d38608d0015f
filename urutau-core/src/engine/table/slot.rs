//! What is kept of one owned object, and whether it is as we left it.

use super::super::fault::Fault;
use super::super::hash;
use super::super::key::{ObjectKey, Uid};
use super::super::seen::{Facts, Replicas};
use crate::ready::Readiness;
use std::num::NonZero;
use std::sync::OnceLock;
use std::time::Instant;

/// What is kept of one object: what the cluster has, and what we last wrote.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// The owner that it belongs to.
    pub(super) owner: Option<ObjectKey>,
    /// The object as it was last seen.
    pub(super) live: Option<Live>,
    /// The object as we last wrote it.
    pub(super) want: Option<Want>,
    /// What there is next to never: in a place of its own, because there are many slots.
    rare: Option<Box<Rare>>,
    /// A request of ours is on its way: what is seen meanwhile is judged when the answer is there.
    pub(super) busy: bool,
    /// It may have been changed in a way that does not show.
    pub(super) doubt: bool,
}

/// What there is to remember of few objects.
#[derive(Debug, Default)]
struct Rare {
    /// Owners that can go on when the object is gone or becomes another's.
    waiters: Vec<Waiter>,
    /// The version at which it was last deleted.
    gone: u64,
}

/// An owner that can go on when an object is gone or becomes another's.
#[derive(Debug)]
pub(super) struct Waiter {
    pub(super) owner: ObjectKey,
    /// What it was told, to be told again while nothing changes.
    pub(super) why: Fault,
}

/// An object as it was last seen.
#[derive(Debug)]
pub(super) struct Live {
    pub(super) uid: Uid,
    pub(super) version: u64,
    pub(super) generation: i64,
    /// What we claim in it.
    pub(super) fields: u64,
    /// A hash of its controller's uid; 0 when it has none.
    pub(super) controller: u64,
    /// The second in which we last changed it.
    pub(super) time: u32,
    /// The second in which anybody last changed it.
    latest: u32,
    /// The listing that it was last seen in.
    pub(super) epoch: u32,
    pub(super) deleting: bool,
    /// Who claims `spec.replicas`.
    pub(super) replicas: Replicas,
    /// Its readiness by each check of its kind, if it was seen since it was written.
    pub(super) ready: Option<Box<[Readiness]>>,
}

/// An object as we last wrote it.
#[derive(Debug)]
pub(super) struct Want {
    pub(super) uid: Uid,
    /// A hash of what we sent and of what we claimed afterwards.
    pub(super) fingerprint: u64,
    /// What we claimed afterwards; 0 when it is known only as a part of the fingerprint, after a start.
    pub(super) fields: u64,
    version: u64,
    generation: i64,
    /// When, if it was this process.
    at: Option<Second>,
    /// Whether only its being there counts.
    pub(super) once: bool,
}

/// Whether an object is as we left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Same,
    /// It is not.
    Drift,
    /// It may not be.
    Doubt,
}

/// A second of the life of this process, in a quarter of the bytes of an [`Instant`].
#[derive(Clone, Copy, Debug)]
struct Second(NonZero<u32>);

impl Second {
    fn of(now: Instant) -> Self {
        static FIRST: OnceLock<Instant> = OnceLock::new();
        let since = now.saturating_duration_since(*FIRST.get_or_init(|| now)).as_secs();
        Self(NonZero::<u32>::MIN.saturating_add(u32::try_from(since).unwrap_or(u32::MAX)))
    }

    /// How many seconds this is after another.
    fn since(self, other: Self) -> u32 {
        self.0.get().saturating_sub(other.0.get())
    }
}

/// How many seconds after an apply an event can still be about the same second. Only that second is in doubt; this allows for
/// events that come late.
const LATE: u32 = 30;

/// The fingerprint of what was sent and what is claimed.
pub(super) fn fingerprint(body: u64, fields: u64) -> u64 {
    hash::pair(body, fields)
}

/// The hash by which a controller is compared.
pub(super) fn controller(uid: &str) -> u64 {
    hash::bytes(uid.as_bytes()) | 1
}

impl Live {
    pub(super) fn new(facts: &Facts, manager: &str, epoch: u32, ready: Option<Box<[Readiness]>>) -> Self {
        let second = |time: i64| u32::try_from(time).unwrap_or_default();
        Self {
            uid: facts.uid.clone(),
            version: facts.version,
            generation: facts.generation,
            fields: facts.fields_of(manager),
            controller: facts.controller.as_ref().map_or(0, |owner| controller(&owner.uid)),
            time: second(facts.time_of(manager)),
            latest: second(facts.last_writer().map_or(0, |writer| writer.time)),
            epoch,
            deleting: facts.deleting,
            replicas: facts.replicas(manager),
            ready,
        }
    }
}

impl Want {
    /// What the answer to an apply of `body` says.
    pub(super) fn written(facts: &Facts, fields: u64, body: u64, now: Instant) -> Self {
        Self {
            uid: facts.uid.clone(),
            fingerprint: fingerprint(body, fields),
            fields,
            version: facts.version,
            generation: facts.generation,
            at: Some(Second::of(now)),
            once: false,
        }
    }

    /// What the status of the owner says.
    pub(super) fn recorded(uid: &str, fingerprint: u64) -> Self {
        Self { uid: uid.into(), fingerprint, fields: 0, version: 0, generation: 0, at: None, once: false }
    }
}

impl Slot {
    /// Judges the object by what we left. `owner` is the hash of the owner's uid; `leapt` says that there may have been
    /// changes which nobody saw, because it was listed and not watched.
    ///
    /// The entry of a manager in `managedFields` has whole seconds, and an apply under our own name that changes only
    /// values changes nothing in it but the second. So one in the very second of ours does not show, except that
    /// labels and annotations are part of our fingerprint, and that the generation counts the rest where there is
    /// one. What is left is in doubt.
    pub(super) fn verdict(&self, owner: u64, now: Instant, leapt: bool) -> Verdict {
        let (Some(live), Some(want)) = (&self.live, &self.want) else { return Verdict::Drift };
        if live.uid != want.uid {
            return Verdict::Drift;
        }
        if want.once {
            return Verdict::Same;
        }
        // After a start it is for the first pass to compare: only it knows what is declared.
        let compared = want.fields != 0;
        if (compared && live.fields != want.fields) || live.controller != owner || live.replicas.is_kept_in_vain() {
            return Verdict::Drift;
        }
        let ours = live.version <= want.version;
        let counted = live.generation != 0 && live.generation == want.generation;
        // Whoever changed it later is not all that there was.
        let later = live.latest > live.time && !leapt;
        let long_ago = want.at.is_none_or(|at| Second::of(now).since(at) > LATE);
        if ours || counted || later || long_ago { Verdict::Same } else { Verdict::Doubt }
    }

    /// Whether others took away something that we own, since it was seen before. What is done under our own name, by us or
    /// by whoever else, moves the time of our entry.
    pub(super) fn is_changed_by_others(&self, before: Option<&Live>) -> bool {
        let (Some(live), Some(want)) = (&self.live, &self.want) else { return false };
        let known = want.fields != 0 && want.uid == live.uid && !want.once;
        let acted = live.time != 0 && before.is_some_and(|before| before.time < live.time);
        known && live.fields != want.fields && !acted
    }

    /// Adds an owner that can go on when the object is gone or becomes another's.
    pub(super) fn wait(&mut self, owner: &ObjectKey, why: Fault) {
        self.wait_no_more(owner);
        self.rare.get_or_insert_default().waiters.push(Waiter { owner: owner.clone(), why });
    }

    /// Takes an owner off those that wait.
    pub(super) fn wait_no_more(&mut self, owner: &ObjectKey) {
        if let Some(rare) = &mut self.rare {
            rare.waiters.retain(|waiter| waiter.owner != *owner);
        }
    }

    /// What an owner that waits for the object was told.
    pub(super) fn told(&self, owner: &ObjectKey) -> Option<&Fault> {
        let waiter = self.rare.as_ref()?.waiters.iter().find(|waiter| waiter.owner == *owner)?;
        Some(&waiter.why)
    }

    /// Takes every owner that waits.
    pub(super) fn take_waiters(&mut self) -> Vec<Waiter> {
        self.rare.as_mut().map(|rare| std::mem::take(&mut rare.waiters)).unwrap_or_default()
    }

    /// Whether no owner waits.
    pub(super) fn is_idle(&self) -> bool {
        self.rare.as_ref().is_none_or(|rare| rare.waiters.is_empty())
    }

    /// Notes the version at which the object was deleted.
    pub(super) fn deleted(&mut self, version: u64) {
        let rare = self.rare.get_or_insert_default();
        rare.gone = rare.gone.max(version);
    }

    /// Whether the object was deleted after this version.
    pub(super) fn is_deleted_since(&self, version: u64) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.gone > version)
    }

    /// Whether there is nothing to remember.
    pub(super) fn is_empty(&self) -> bool {
        self.live.is_none() && self.want.is_none() && self.is_idle() && !self.busy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_an_object_is_small() {
        assert!(size_of::<Slot>() <= 184, "{}", size_of::<Slot>());
    }
}
