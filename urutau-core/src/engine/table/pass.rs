//! What passes ask for and what they did.

use super::super::cause::Cause;
use super::super::fault::{Fault, describe};
use super::super::key::{ObjectKey, Uid, text};
use super::super::seen::{Facts, Replicas};
use super::slot::{Live, Slot, Verdict, Want, fingerprint};
use super::{Table, Trouble, same_check};
use crate::ready::{Check, Readiness};
use std::time::Instant;

/// An object that a pass is about.
#[derive(Clone, Copy)]
pub(in super::super) struct Target<'a> {
    pub(in super::super) kind: usize,
    pub(in super::super) namespace: &'a str,
    pub(in super::super) name: &'a str,
    /// The owner that declares it.
    pub(in super::super) owner: &'a ObjectKey,
}

/// What there is to do about an object.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) enum Look {
    /// Nothing.
    InSync,
    /// It is not there.
    Create,
    /// It is there and ours, and has to be written; for the first time or once more.
    Write { uid: Uid, first: bool },
    /// It is as declared but for a claim of ours from a hand-over that is over.
    Kept { uid: Uid, version: u64 },
    /// It is there and another's.
    Foreign,
    /// It is another's or being deleted, and nothing has changed since that was found.
    Taken(Fault),
    /// It can't be known.
    Unwatched(Trouble),
}

impl Target<'_> {
    fn text(&self) -> String {
        text(self.namespace, self.name)
    }
}

impl Table {
    /// What there is to do about an object that is declared with a body of this hash. `once`: only its being there
    /// counts.
    pub(in super::super) fn look(&mut self, target: Target<'_>, body: u64, once: bool) -> Look {
        let Some(owner) = self.owners.get(target.owner).map(|owner| owner.controller) else {
            return Look::Unwatched(Trouble::Other("the owner is gone".to_owned()));
        };
        let table = &mut self.kinds[target.kind];
        if let Some(why) = table.unseen(target.namespace) {
            return Look::Unwatched(why);
        }
        let Some(slot) = table.slots.get_mut(&target.text()) else { return Look::Create };
        let mine = slot.owner.as_ref() == Some(target.owner);
        if let Some(why) = slot.told(target.owner) {
            return Look::Taken(why.clone());
        }
        let Some(live) = &slot.live else {
            if mine {
                slot.want = None;
            }
            return Look::Create;
        };
        // Our record of it holds until somebody else has become its controller.
        let orphaned = live.controller == 0 && mine && slot.want.as_ref().is_some_and(|want| want.uid == live.uid);
        if live.controller != owner && !orphaned {
            return Look::Foreign;
        }
        if live.deleting {
            let object = describe(&table.kind, target.name);
            slot.wait(target.owner, Fault::Deleting { object: object.clone() });
            return Look::Taken(Fault::Deleting { object });
        }
        let (live_fields, live_uid, version) = (live.fields, live.uid.clone(), live.version);
        let kept_in_vain = live.replicas.is_kept_in_vain();
        if once && !(mine && slot.want.is_some()) {
            slot.want = Some(Want::recorded(&live_uid.to_string(), fingerprint(body, live_fields)));
            self.give(target.kind, &ObjectKey::new(target.namespace, target.name), target.owner);
            return self.look(target, body, once);
        }
        let Some(want) = slot.want.as_mut().filter(|want| mine && want.uid == live_uid) else {
            return Look::Write { uid: live_uid, first: true };
        };
        want.once = once;
        if once {
            return Look::InSync;
        }
        let same = want.fingerprint == fingerprint(body, live_fields) && live.controller == owner;
        if same && !slot.doubt {
            want.fields = live_fields;
            return if kept_in_vain { Look::Kept { uid: live_uid, version } } else { Look::InSync };
        }
        Look::Write { uid: live_uid, first: false }
    }

    /// The readiness of an object, if it was seen since it was written.
    pub(in super::super) fn readiness(&mut self, target: Target<'_>, check: Check) -> Option<Readiness> {
        let checks = &self.kinds.get(target.kind)?.checks;
        let at = checks.iter().position(|known| same_check(*known, check)).unwrap_or_default();
        let slot = self.slot(target.kind, target.namespace, target.name)?;
        slot.live.as_ref()?.ready.as_ref()?.get(at).cloned()
    }

    /// Notes that a request about an object is on its way.
    pub(in super::super) fn begin(&mut self, target: Target<'_>) {
        if !self.owners.contains_key(target.owner) {
            return;
        }
        let key = self.key(target.kind, target.owner, target.namespace, target.name);
        let free = self.kinds[target.kind].slots.get(key.as_str()).is_none_or(|slot| slot.owner.is_none());
        if free {
            self.give(target.kind, &key, target.owner);
        }
        if let Some(slot) = self.kinds[target.kind].slots.get_mut(key.as_str()) {
            slot.busy = true;
        }
    }

    /// Notes that the request came to nothing.
    pub(in super::super) fn fail(&mut self, target: Target<'_>) {
        if let Some(slot) = self.slot(target.kind, target.namespace, target.name) {
            slot.busy = false;
        }
        self.tidy(target.kind, &target.text());
    }

    /// Notes the answer to an apply, with the object's readiness if it told that; whether the object is still as we
    /// left it.
    pub(in super::super) fn applied(
        &mut self,
        target: Target<'_>,
        facts: &Facts,
        ready: Option<Box<[Readiness]>>,
        body: u64,
        once: bool,
        now: Instant,
    ) -> bool {
        let Some(controller) = self.owners.get(target.owner).map(|owner| owner.controller) else {
            // It is gone, and what it owned is not ours to keep.
            self.fail(target);
            return true;
        };
        let key = self.key(target.kind, target.owner, target.namespace, target.name);
        self.give(target.kind, &key, target.owner);
        let epoch = self.epoch(target);
        let fields = facts.fields_of(&self.manager);
        let Some(slot) = self.kinds[target.kind].slots.get_mut(key.as_str()) else { return false };
        slot.busy = false;
        slot.doubt = false;
        slot.wait_no_more(target.owner);
        if slot.is_deleted_since(facts.version) {
            // It was deleted before the answer was here.
            slot.want = None;
            return false;
        }
        let mut want = Want::written(facts, fields, body, now);
        want.once = once;
        slot.want = Some(want);
        if slot.live.as_ref().is_some_and(|live| live.version > facts.version) {
            let verdict = slot.verdict(controller, now, false);
            slot.doubt = verdict == Verdict::Doubt;
            if verdict != Verdict::Drift {
                self.causes.remove(&(target.kind, key));
            }
            return verdict == Verdict::Same;
        }
        self.causes.remove(&(target.kind, key));
        // What was seen of the object's readiness before stays while it is about the same desired state.
        let before = slot.live.take().filter(|live| live.uid == facts.uid && live.generation == facts.generation);
        let ready = ready.or_else(|| before.and_then(|live| live.ready));
        let live = Live::new(facts, &self.manager, epoch, ready);
        let kept_in_vain = live.replicas.is_kept_in_vain();
        slot.live = Some(live);
        !kept_in_vain
    }

    /// Takes why an object is not as it was left.
    pub(in super::super) fn cause(&mut self, target: Target<'_>) -> Option<Cause> {
        self.causes.remove(&(target.kind, ObjectKey::new(target.namespace, target.name)))
    }

    /// Puts that back: it could not be put right.
    pub(in super::super) fn remains(&mut self, target: Target<'_>, cause: Cause) {
        let object = ObjectKey::new(target.namespace, target.name);
        if self.kinds[target.kind].slots.find(object.as_str()).is_some() {
            self.causes.entry((target.kind, object)).or_insert(cause);
        }
    }

    /// Who claims `spec.replicas` of an object, and the version of which that is known.
    pub(in super::super) fn replicas(&mut self, target: Target<'_>) -> (Replicas, u64) {
        let slot = self.slot(target.kind, target.namespace, target.name);
        let live = slot.and_then(|slot| slot.live.as_ref());
        live.map_or((Replicas::default(), 0), |live| (live.replicas, live.version))
    }

    /// Notes that an object of the wanted name is there and belongs to somebody else, or is about to go: the owner is
    /// woken when that changes, and told the same until then. Whether that still holds: the watch may have shown by now
    /// that it is gone or has changed hands, and would not show it again.
    pub(in super::super) fn taken(&mut self, target: Target<'_>, facts: &Facts, why: Fault) -> bool {
        if !self.owners.contains_key(target.owner) {
            return true;
        }
        let found = Live::new(facts, &self.manager, self.epoch(target), None);
        // Whoever asks whose it is has seen it or has a request about it on its way: without a record it is gone.
        let Some(slot) = self.slot(target.kind, target.namespace, target.name) else { return false };
        slot.busy = false;
        let newer = slot.live.as_ref().filter(|live| live.version > found.version);
        let changed = newer.is_some_and(|live| live.uid != found.uid || live.controller != found.controller);
        if changed || slot.is_deleted_since(found.version) {
            self.tidy(target.kind, &target.text());
            return false;
        }
        if slot.live.as_ref().is_none_or(|live| live.version < found.version) {
            slot.live = Some(found);
        }
        slot.wait(target.owner, why);
        true
    }

    /// Notes that an object is being deleted at our own request; the owner is woken when it is gone. Whether it is
    /// still there.
    pub(in super::super) fn deleting(&mut self, target: Target<'_>, why: Fault) -> bool {
        let Some(slot) = self.slot(target.kind, target.namespace, target.name) else { return false };
        slot.busy = false;
        if slot.live.is_some() {
            slot.wait(target.owner, why);
        }
        slot.live.is_some()
    }

    /// Notes that an object is not there, whatever the watch has shown so far.
    pub(in super::super) fn absent(&mut self, target: Target<'_>) {
        if let Some(slot) = self.slot(target.kind, target.namespace, target.name) {
            slot.busy = false;
            slot.live = None;
            slot.want = None;
        }
    }

    /// Notes that an object turned out to be ours though we had no record of it.
    pub(in super::super) fn found(&mut self, target: Target<'_>, facts: &Facts) {
        if !self.owners.contains_key(target.owner) {
            return;
        }
        let epoch = self.epoch(target);
        let key = self.key(target.kind, target.owner, target.namespace, target.name);
        self.give(target.kind, &key, target.owner);
        let Some(slot) = self.kinds[target.kind].slots.get_mut(key.as_str()) else { return };
        slot.release();
        if !slot.is_deleted_since(facts.version) && slot.live.as_ref().is_none_or(|live| live.version < facts.version) {
            slot.live = Some(Live::new(facts, &self.manager, epoch, None));
        }
    }

    /// Whether the status of the owner says that this very object is its own.
    pub(in super::super) fn is_recorded(&mut self, target: Target<'_>, uid: &Uid) -> bool {
        let slot = self.slot(target.kind, target.namespace, target.name);
        slot.is_some_and(|slot| {
            slot.owner.as_ref() == Some(target.owner) && slot.want.as_ref().is_some_and(|want| want.uid == *uid)
        })
    }

    /// Whether an object is there and belongs to this owner.
    pub(in super::super) fn has(&self, target: Target<'_>) -> bool {
        let slot = self.kinds[target.kind].slots.get(&target.text());
        slot.is_some_and(|slot| slot.owner.as_ref() == Some(target.owner) && slot.live.is_some() && slot.want.is_some())
    }

    /// Ends the requests of a pass that did not come to its end.
    pub(in super::super) fn release(&mut self, owner: &ObjectKey) {
        let objects = self.owners.get(owner).map(|owner| owner.objects.clone()).unwrap_or_default();
        for place in objects {
            if let Some(slot) = self.kinds[place.kind()].slots.at_mut(place.at) {
                slot.release();
            }
        }
    }

    fn epoch(&self, target: Target<'_>) -> u32 {
        self.kinds[target.kind].scope(target.namespace).map_or(0, |scope| scope.epoch)
    }
}

impl Slot {
    fn release(&mut self) {
        if std::mem::take(&mut self.busy) {
            // What was seen meanwhile was not judged.
            self.doubt = self.want.is_some();
        }
    }
}
