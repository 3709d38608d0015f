//! What the cluster has of the owned kinds: one small record for each object that counts, and nothing of the others.
//!
//! Watches write what they see, passes write what they did, and both learn who has to be looked at again. Everything
//! here is quick and in memory; nothing waits.

mod pass;
mod slot;
mod slots;
mod surplus;
mod watch;

pub(super) use self::pass::{Look, Target};
pub(super) use self::surplus::{Surplus, Unseen};
pub(super) use self::watch::Trouble;

use self::slot::{Slot, Want, controller};
use self::slots::{Slots, Spot};
use super::cause::Cause;
use super::key::{ObjectKey, Uid, text};
use crate::kind::KindId;
use crate::node::Node;
use crate::ready::{Check, Readiness, View};
use crate::status::OwnedRecord;
use std::collections::HashMap;

/// Who has to be looked at again, and how soon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wake {
    pub(super) owner: ObjectKey,
    pub(super) urgency: Urgency,
}

/// How soon an owner has to be looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    /// At once.
    Now,
    /// After a moment: an owned object is gone, and if that is because the owner is going, that is about to be seen.
    Soon,
    /// When there is nothing more urgent.
    Calm,
}

/// How many of an owner's objects are looked through for one of the same name.
const SHARING: usize = 16;

/// Everything that is known of owned objects.
pub(super) struct Table {
    manager: String,
    kinds: Vec<KindTable>,
    owners: HashMap<ObjectKey, Owner>,
    /// Owners by the hashes of their uids.
    controllers: HashMap<u64, ObjectKey>,
    /// Why objects are not as they were left, until that is put right.
    causes: HashMap<(usize, ObjectKey), Cause>,
}

/// One kind of owned object.
struct KindTable {
    kind: KindId,
    /// The ways in which the readiness of its objects is told.
    checks: Vec<Check>,
    scopes: Vec<Scope>,
    slots: Slots,
}

/// One watch: a namespace, or everything.
struct Scope {
    namespace: Option<String>,
    /// Whether everything that is there has been seen.
    synced: bool,
    epoch: u32,
    trouble: Option<Trouble>,
}

impl KindTable {
    /// The watch that sees a namespace.
    fn scope(&self, namespace: &str) -> Option<&Scope> {
        self.scopes.iter().find(|scope| scope.namespace.as_deref().is_none_or(|own| own == namespace))
    }

    /// Why it can't be told which objects a namespace has.
    fn unseen(&self, namespace: &str) -> Option<Trouble> {
        let why = match self.scope(namespace) {
            Some(scope) if scope.synced => return None,
            Some(scope) => scope.trouble.clone().unwrap_or_else(|| Trouble::Other("it is not listed yet".to_owned())),
            None => Trouble::Other(format!("namespace `{namespace}` is not watched")),
        };
        Some(why)
    }
}

/// One owner, and the places of its objects.
struct Owner {
    /// The hash of its uid.
    controller: u64,
    objects: Vec<Place>,
}

/// Where the record of an object is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    kind: u32,
    at: Spot,
}

impl Place {
    fn new(kind: usize, at: Spot) -> Self {
        Self { kind: u32::try_from(kind).unwrap_or(u32::MAX), at }
    }

    fn kind(self) -> usize {
        self.kind as usize
    }
}

impl Table {
    /// A table for the kinds that a set owns, seen through the given namespaces (none: all of them).
    pub(super) fn new(node: &'static Node, manager: &str, namespaces: &[String]) -> Self {
        let kinds = node.kinds().into_iter().map(|watched| {
            let whole = namespaces.is_empty() || !watched.kind.namespaced;
            let scopes = if whole { vec![None] } else { namespaces.iter().cloned().map(Some).collect() };
            let scope = |namespace| Scope { namespace, synced: false, epoch: 0, trouble: None };
            KindTable {
                kind: watched.kind,
                checks: checks(node, &watched.kind),
                scopes: scopes.into_iter().map(scope).collect(),
                slots: Slots::default(),
            }
        });
        Self {
            manager: manager.to_owned(),
            kinds: kinds.collect(),
            owners: HashMap::new(),
            controllers: HashMap::new(),
            causes: HashMap::new(),
        }
    }

    /// The watches that are needed: kind, namespace, and whether readiness is read.
    pub(super) fn watches(&self) -> Vec<(usize, usize, KindId, Option<String>, bool)> {
        let mut watches = Vec::new();
        for (kind, table) in self.kinds.iter().enumerate() {
            for (scope, watched) in table.scopes.iter().enumerate() {
                watches.push((kind, scope, table.kind, watched.namespace.clone(), !table.checks.is_empty()));
            }
        }
        watches
    }

    /// The place of a kind.
    pub(super) fn kind(&self, kind: &KindId) -> Option<usize> {
        self.kinds.iter().position(|table| table.kind.is(kind))
    }

    /// The readiness of an object by every check of its kind.
    pub(super) fn judge(&self, kind: usize, view: &View) -> Option<Box<[Readiness]>> {
        let table = self.kinds.get(kind)?;
        Some(table.checks.iter().map(|check| check.of(&table.kind, view)).collect())
    }

    /// Takes up an owner, with the objects that its status says it owns. An owner of another uid is another owner.
    pub(super) fn meet(&mut self, key: &ObjectKey, uid: &Uid, records: Vec<OwnedRecord>) {
        let controller = controller(&uid.to_string());
        if self.owners.get(key).is_some_and(|owner| owner.controller == controller) {
            return;
        }
        self.forget(key);
        let objects = Vec::with_capacity(records.len());
        self.owners.insert(key.clone(), Owner { controller, objects });
        self.controllers.insert(controller, key.clone());
        for record in records {
            let known = |table: &KindTable| table.kind.group == record.group && table.kind.kind == record.kind;
            let Some(kind) = self.kinds.iter().position(known) else { continue };
            let Ok(fingerprint) = u64::from_str_radix(&record.fingerprint, 16) else { continue };
            let object = self.key(kind, key, record.namespace.as_deref().unwrap_or_default(), &record.name);
            let slots = &mut self.kinds[kind].slots;
            let at = slots.place(&object);
            let Some(slot) = slots.at_mut(at).filter(|slot| slot.owner.is_none()) else { continue };
            slot.owner = Some(key.clone());
            slot.want = Some(Want::recorded(&record.uid, fingerprint));
            self.index(key, Place::new(kind, at));
        }
    }

    /// Forgets an owner and everything of it.
    pub(super) fn forget(&mut self, key: &ObjectKey) {
        let Some(owner) = self.owners.remove(key) else { return };
        self.controllers.remove(&owner.controller);
        for place in &owner.objects {
            let slots = &mut self.kinds[place.kind()].slots;
            let Some(slot) = slots.at_mut(place.at) else { continue };
            slot.owner = None;
            slot.want = None;
            slot.busy = false;
            // What others wait for is still watched.
            let idle = slot.is_idle();
            if let Some((object, _)) = slots.at(place.at) {
                self.causes.remove(&(place.kind(), object.clone()));
            }
            if idle {
                slots.take(place.at);
            }
        }
        for kind in 0..self.kinds.len() {
            self.close_up(kind);
        }
    }

    /// Moves the records of a kind together where a crowd has gone. Nobody may hold a place of that kind.
    fn close_up(&mut self, kind: usize) {
        let owners = &mut self.owners;
        self.kinds[kind].slots.close_up(|owner, from, to| {
            let owner = owner.and_then(|owner| owners.get_mut(owner));
            for place in owner.into_iter().flat_map(|owner| &mut owner.objects) {
                if *place == Place::new(kind, from) {
                    place.at = to;
                }
            }
        });
    }

    /// What the owner's status has to say it owns, in a stable order.
    pub(super) fn records(&self, owner: &ObjectKey) -> Vec<OwnedRecord> {
        let Some(known) = self.owners.get(owner) else { return Vec::new() };
        let mut records = Vec::with_capacity(known.objects.len());
        records.extend(known.objects.iter().filter_map(|place| {
            let table = &self.kinds[place.kind()];
            let (object, slot) = table.slots.at(place.at)?;
            let want = slot.want.as_ref()?;
            let namespace = object.namespace();
            Some(OwnedRecord {
                group: table.kind.group.to_owned(),
                kind: table.kind.kind.to_owned(),
                namespace: (!namespace.is_empty()).then(|| namespace.to_owned()),
                name: object.name().to_owned(),
                uid: want.uid.to_string(),
                fingerprint: format!("{:016x}", want.fingerprint),
            })
        }));
        records.sort_by(|a, b| {
            (&a.group, &a.kind, &a.namespace, &a.name).cmp(&(&b.group, &b.kind, &b.namespace, &b.name))
        });
        records
    }

    fn index(&mut self, owner: &ObjectKey, place: Place) {
        if let Some(owner) = self.owners.get_mut(owner) {
            // A small set has one more now and then, and there are many of them.
            if owner.objects.len() < SHARING {
                owner.objects.reserve_exact(1);
            }
            owner.objects.push(place);
        }
    }

    /// Drops the record of an object of which there is nothing to remember.
    fn tidy(&mut self, kind: usize, object: &str) {
        let slots = &mut self.kinds[kind].slots;
        let Some(at) = slots.find(object) else { return };
        if !slots.at(at).is_some_and(|(_, slot)| slot.is_empty()) {
            return;
        }
        let Some((_, slot)) = slots.take(at) else { return };
        if let Some(owner) = slot.owner.and_then(|owner| self.owners.get_mut(&owner)) {
            owner.objects.retain(|place| *place != Place::new(kind, at));
        }
    }

    /// The key of an object. Those that an owner had last share one of the same name: a small set often has one name for
    /// objects of several kinds.
    fn key(&self, kind: usize, owner: &ObjectKey, namespace: &str, name: &str) -> ObjectKey {
        let text = text(namespace, name);
        let slots = &self.kinds[kind].slots;
        if let Some((key, _)) = slots.find(&text).and_then(|at| slots.at(at)) {
            return key.clone();
        }
        let objects = self.owners.get(owner).map(|owner| owner.objects.as_slice()).unwrap_or_default();
        let mut last = objects.iter().rev().take(SHARING).filter_map(|place| self.object(*place));
        last.find(|key| key.as_str() == text).cloned().unwrap_or_else(|| text.into())
    }

    /// Gives an object to an owner.
    fn give(&mut self, kind: usize, object: &ObjectKey, owner: &ObjectKey) {
        let slots = &mut self.kinds[kind].slots;
        let at = slots.place(object);
        let Some(slot) = slots.at_mut(at).filter(|slot| slot.owner.as_ref() != Some(owner)) else { return };
        let place = Place::new(kind, at);
        if let Some(before) = slot.owner.replace(owner.clone())
            && let Some(before) = self.owners.get_mut(&before)
        {
            before.objects.retain(|other| *other != place);
        }
        self.index(owner, place);
    }

    /// The object whose record is there.
    fn object(&self, place: Place) -> Option<&ObjectKey> {
        self.kinds[place.kind()].slots.at(place.at).map(|(object, _)| object)
    }

    fn slot(&mut self, kind: usize, namespace: &str, name: &str) -> Option<&mut Slot> {
        self.kinds.get_mut(kind)?.slots.get_mut(&text(namespace, name))
    }
}

/// The ways in which the readiness of a kind's objects is told, each once.
fn checks(node: &'static Node, kind: &KindId) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    node.every_object(&mut |object, _| {
        if let Some(check) = object.ready
            && object.kind.is(kind)
            && !checks.iter().any(|known| same_check(*known, check))
        {
            checks.push(check);
        }
    });
    checks
}

/// Whether two checks are one. Functions of one body may share an address; then they also agree.
fn same_check(a: Check, b: Check) -> bool {
    match (a, b) {
        (Check::Known, Check::Known) => true,
        (Check::By(a), Check::By(b)) => std::ptr::fn_addr_eq(a, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
