//! What watches see.

use super::super::cause::Cause;
use super::super::key::{ObjectKey, text};
use super::super::seen::Facts;
use super::slot::{Live, Slot, Verdict, controller};
use super::{Table, Urgency, Wake};
use crate::ready::Readiness;
use std::time::Instant;

/// Why a kind can't be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Trouble {
    /// The API server does not serve it.
    Absent,
    /// Anything else, in words.
    Other(String),
}

impl Table {
    /// Notes that a watch begins to list everything that is there.
    pub(in super::super) fn relist(&mut self, kind: usize, scope: usize) {
        let scope = &mut self.kinds[kind].scopes[scope];
        scope.epoch = scope.epoch.wrapping_add(1);
    }

    /// Notes that a watch has listed everything: what it did not list is gone.
    pub(in super::super) fn listed(&mut self, kind: usize, scope: usize, wakes: &mut Vec<Wake>) {
        let table = &mut self.kinds[kind];
        let scope = &mut table.scopes[scope];
        let first = !scope.synced || scope.trouble.is_some();
        scope.synced = true;
        scope.trouble = None;
        let (epoch, namespace) = (scope.epoch, scope.namespace.clone());
        let gone: Vec<_> = table
            .slots
            .iter()
            .filter(|(key, _)| namespace.as_deref().is_none_or(|namespace| key.namespace() == namespace))
            .filter(|(_, slot)| slot.live.as_ref().is_some_and(|live| live.epoch != epoch))
            .map(|(key, _)| key.clone())
            .collect();
        for key in gone {
            self.vanish(kind, &key, 0, wakes);
        }
        if first {
            let all = self.owners.keys().cloned().map(|owner| Wake { owner, urgency: Urgency::Calm });
            wakes.extend(all);
        }
    }

    /// Notes why a watch does not work; whether that is news.
    pub(in super::super) fn trouble(&mut self, kind: usize, scope: usize, why: Trouble, wakes: &mut Vec<Wake>) -> bool {
        let scope = &mut self.kinds[kind].scopes[scope];
        if scope.trouble.as_ref() == Some(&why) {
            return false;
        }
        if why == Trouble::Absent {
            // With the kind its objects are gone.
            scope.synced = false;
        }
        let stays = scope.synced;
        scope.trouble = Some(why);
        if !stays {
            wakes.extend(self.owners.keys().cloned().map(|owner| Wake { owner, urgency: Urgency::Calm }));
        }
        true
    }

    /// Whether every watch has either seen everything or failed to.
    pub(in super::super) fn is_settled(&self) -> bool {
        self.kinds.iter().flat_map(|table| &table.scopes).all(|scope| scope.synced || scope.trouble.is_some())
    }

    /// Notes an object as it is now.
    pub(in super::super) fn see(
        &mut self,
        kind: usize,
        scope: usize,
        facts: &Facts,
        ready: Option<Box<[Readiness]>>,
        now: Instant,
        wakes: &mut Vec<Wake>,
    ) {
        let key = text(&facts.namespace, &facts.name);
        let owner = facts.controller.as_ref().and_then(|owner| self.controllers.get(&controller(&owner.uid)).cloned());
        let epoch = self.kinds[kind].scopes[scope].epoch;
        if let Some(owner) = &owner {
            let known = self.kinds[kind].slots.get(&key).is_some_and(|slot| slot.owner.is_some());
            if !known {
                let key = self.key(kind, owner, &facts.namespace, &facts.name);
                self.give(kind, &key, owner);
            }
        }
        let table = &mut self.kinds[kind];
        let Some(slot) = table.slots.get_mut(&key) else { return };
        if let Some(live) = &mut slot.live
            && facts.version < live.version
            && facts.version != 0
        {
            live.epoch = epoch;
            return;
        }
        let before = slot.live.replace(Live::new(facts, &self.manager, epoch, ready));
        let live = slot.live.as_ref();
        if before.as_ref().map(|live| live.controller) != live.map(|live| live.controller) {
            wakes.extend(woken(slot));
        }
        let Some(owner) = slot.owner.clone() else { return };
        if slot.is_changed_by_others(before.as_ref()) {
            let object = ObjectKey::new(&facts.namespace, &facts.name);
            self.causes.insert((kind, object), Cause::of(facts, &self.manager));
        }
        if slot.busy {
            return;
        }
        let controller = self.owners.get(&owner).map_or(0, |owner| owner.controller);
        let leapt = before.as_ref().is_some_and(|live| live.epoch != epoch && live.version != facts.version);
        let verdict = match &slot.want {
            Some(_) => slot.verdict(controller, now, leapt),
            // Ours, and nobody asked for it: to be looked at once.
            None if before.is_none() => Verdict::Drift,
            None => Verdict::Same,
        };
        slot.doubt |= verdict == Verdict::Doubt;
        let deleting = |live: Option<&Live>| live.is_some_and(|live| live.deleting);
        let turned = deleting(before.as_ref()) != deleting(slot.live.as_ref());
        let change = readiness(before.as_ref(), slot.live.as_ref());
        let urgency = match (verdict, change) {
            (Verdict::Drift | Verdict::Doubt, _) | (_, Some(Urgency::Now)) => Some(Urgency::Now),
            _ if turned => Some(Urgency::Now),
            (Verdict::Same, change) => change,
        };
        if let Some(urgency) = urgency {
            if verdict == Verdict::Drift && slot.want.is_some() {
                let by = facts.last_writer().map_or("", |writer| writer.manager.as_str());
                tracing::debug!(kind = table.kind.kind, object = key, by, "an owned object is not as it was left");
            }
            wakes.push(Wake { owner, urgency });
        }
    }

    /// Notes that an object is gone.
    pub(in super::super) fn gone(&mut self, kind: usize, facts: &Facts, wakes: &mut Vec<Wake>) {
        let key = text(&facts.namespace, &facts.name);
        let newer = |live: &Live| facts.version != 0 && live.version > facts.version;
        let Some(slot) = self.kinds[kind].slots.get(&key) else { return };
        if slot.live.as_ref().is_some_and(newer) {
            return;
        }
        self.vanish(kind, &ObjectKey::new(&facts.namespace, &facts.name), facts.version, wakes);
    }

    fn vanish(&mut self, kind: usize, key: &ObjectKey, version: u64, wakes: &mut Vec<Wake>) {
        let Some(slot) = self.kinds[kind].slots.get_mut(key.as_str()) else { return };
        self.causes.remove(&(kind, key.clone()));
        slot.live = None;
        slot.deleted(version);
        slot.doubt = false;
        wakes.extend(woken(slot));
        let wanted = slot.want.take().is_some();
        if let Some(owner) = &slot.owner
            && wanted
            && !slot.busy
        {
            wakes.push(Wake { owner: owner.clone(), urgency: Urgency::Soon });
        }
        self.tidy(kind, key.as_str());
        self.close_up(kind);
    }
}

/// Those who waited for an object and can go on.
fn woken(slot: &mut Slot) -> impl Iterator<Item = Wake> + use<> {
    slot.take_waiters().into_iter().map(|waiter| Wake { owner: waiter.owner, urgency: Urgency::Now })
}

/// What a change of readiness asks for: only a change of the words can wait.
fn readiness(before: Option<&Live>, now: Option<&Live>) -> Option<Urgency> {
    let before = before.and_then(|live| live.ready.as_deref()).unwrap_or_default();
    let now = now.and_then(|live| live.ready.as_deref()).unwrap_or_default();
    let unseen = Readiness::NotReady(String::new());
    let pairs = now.iter().enumerate().map(|(i, now)| (before.get(i).unwrap_or(&unseen), now));
    let mut calm = None;
    for (before, now) in pairs {
        match (before, now) {
            (before, now) if before == now => {}
            (Readiness::NotReady(_), Readiness::NotReady(_)) => calm = Some(Urgency::Calm),
            _ => return Some(Urgency::Now),
        }
    }
    calm
}
