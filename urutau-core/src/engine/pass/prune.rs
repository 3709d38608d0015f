//! Removing what an owner has and does not declare any longer.

use super::super::cluster::Place;
use super::super::core::Core;
use super::super::fault::{Fault, describe};
use super::super::key::ObjectKey;
use super::super::owner::Owner;
use super::super::report::Why;
use super::super::sync::lock;
use super::super::table::{Surplus, Unseen};
use crate::declare::Declare;
use crate::handed::{Pattern, each_name};
use crate::kind::KindId;
use crate::member::Member;
use crate::name::Names;
use crate::node::{Node, OnRemoval, WatchedKind};
use crate::plan::{Content, Entry, Held};
use futures::StreamExt;
use futures::stream;
use kube::api::{Patch, PropagationPolicy};
use serde_json::{Value, json};
use std::collections::HashSet;

/// What came of the removal of what is not declared.
#[derive(Default)]
pub(super) struct Pruned {
    /// What went wrong.
    pub(super) faults: Vec<Fault>,
    /// What may still be there, of kinds that the set can do without.
    pub(super) unseen: Vec<Why>,
}

/// Removes what the owner controls, does not declare, and what no waiting member may own.
pub(super) async fn prune<S: Declare>(core: &Core<S>, owner: &Owner, entries: &[Entry]) -> Pruned {
    let kinds = <S as Member>::NODE.kinds();
    let kept = Kept::new(entries, &kinds);
    let undeclared = lock(&core.table).surplus(&owner.key, |kind, object| kept.has(kind, &kinds[kind].kind, object));
    let removals = undeclared.there.into_iter().map(|surplus| remove(core, owner, kinds[surplus.kind].kind, surplus));
    let removed = stream::iter(removals).buffer_unordered(super::PARALLEL);
    let faults = removed.filter_map(|removed| async { removed.err() }).collect().await;
    let mut pruned = Pruned { faults, unseen: Vec::new() };
    for why in unseen(core, &kinds, undeclared.unseen) {
        match why {
            Ok(why) => pruned.unseen.push(why),
            Err(fault) => pruned.faults.push(fault),
        }
    }
    pruned
}

/// What is said of objects that may still be there, for each kind: a fault, unless the set can do without the kind.
pub(super) fn unseen<S: Declare>(
    core: &Core<S>,
    kinds: &[WatchedKind],
    mut unseen: Vec<Unseen>,
) -> Vec<Result<Why, Fault>> {
    // In an order that stays: it is written into the status.
    unseen.sort_by(|a, b| {
        (a.kind, a.object.namespace(), a.object.name()).cmp(&(b.kind, b.object.namespace(), b.object.name()))
    });
    let of_a_kind = unseen.chunk_by(|a, b| a.kind == b.kind && a.why == b.why);
    let said = of_a_kind.map(|unseen| {
        let kind = &kinds[unseen[0].kind];
        let names: Vec<_> = unseen.iter().map(|unseen| describe(&kind.kind, unseen.object.name())).collect();
        let objects = format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" });
        let (off, why) = (core.rights.health.off(&kind.kind), unseen[0].why.clone());
        let fault = Fault::Unseen { objects: objects.clone(), kind: kind.kind.to_string(), why };
        match (kind.optional_api, off) {
            (false, _) => Err(fault),
            (true, None) => Ok(Why::new(fault.reason(), fault.to_string())),
            (true, Some(off)) => {
                let text = format!("{objects} not declared any longer and may still be there: {}", off.message);
                Ok(Why::new(off.reason, text))
            }
        }
    });
    said.collect()
}

/// What is declared, or may be once a member can be.
pub(super) struct Kept<'a> {
    declared: HashSet<(usize, ObjectKey)>,
    waiting: Vec<&'a Held>,
}

impl<'a> Kept<'a> {
    pub(super) fn new(entries: &'a [Entry], kinds: &[WatchedKind]) -> Self {
        let (mut declared, mut waiting) = (HashSet::new(), Vec::new());
        for entry in entries {
            match &entry.content {
                Content::Object(item) => {
                    let kind = kinds.iter().position(|watched| watched.kind.is(&item.object.kind));
                    let key = ObjectKey::new(item.namespace.as_deref().unwrap_or_default(), &item.name);
                    declared.extend(kind.map(|kind| (kind, key)));
                }
                Content::Waiting(held) => waiting.push(held),
            }
        }
        Self { declared, waiting }
    }

    pub(super) fn has(&self, place: usize, kind: &KindId, object: &ObjectKey) -> bool {
        self.declared.contains(&(place, object.clone()))
            || self.waiting.iter().any(|held| held.may_own(kind, object.name()))
    }
}

/// Removes one object. Whether nothing of it is in the way any longer; otherwise that will be seen.
pub(super) async fn remove<S: Declare>(
    core: &Core<S>,
    owner: &Owner,
    kind: KindId,
    surplus: Surplus,
) -> Result<bool, Fault> {
    let Surplus { kind: place, object, uid } = surplus;
    let at = Place { kind: &kind, namespace: object.namespace(), name: object.name() };
    let gone = match on_removal(<S as Member>::NODE, &owner.key, &kind, object.name()) {
        OnRemoval::Delete => core.cluster.delete(at, &uid, PropagationPolicy::Background).await?,
        OnRemoval::Keep => release(core, owner, at).await.map(|()| true)?,
    };
    tracing::debug!(owner = %owner.key, kind = kind.kind, object = %object, "removed: it is not declared");
    lock(&core.table).dropped(place, &object);
    Ok(gone)
}

/// What is done with an object that is not declared any longer. The members whose name it can have decide, and those
/// of its kind if there is none of them any longer; where they disagree, it is kept.
fn on_removal(node: &'static Node, owner: &ObjectKey, kind: &KindId, name: &str) -> OnRemoval {
    let names = Names::new(owner.name(), owner.namespace(), owner.name());
    let (mut known, mut kept, mut kind_kept) = (false, false, false);
    each_name(node, (&Pattern::text(owner.name()), false), &names, &mut |object, pattern| {
        if object.kind.is(kind) {
            let keeps = object.policy.on_removal == OnRemoval::Keep;
            let is_it = pattern.may_be(name);
            known |= is_it;
            kept |= is_it && keeps;
            kind_kept |= keeps;
        }
    });
    if if known { kept } else { kind_kept } { OnRemoval::Keep } else { OnRemoval::Delete }
}

/// Takes our owner reference off an object, and leaves everything else of it.
async fn release<S: Declare>(core: &Core<S>, owner: &Owner, at: Place<'_>) -> Result<(), Fault> {
    let Some(object) = core.cluster.metadata(at).await? else { return Ok(()) };
    let metadata = &object["metadata"];
    let uid = owner.uid.to_string();
    let owners = metadata["ownerReferences"].as_array().cloned().unwrap_or_default();
    let others: Vec<Value> = owners.into_iter().filter(|reference| reference["uid"] != uid.as_str()).collect();
    // The version is the guard: a merge patch replaces the whole list.
    let patch = json!({ "metadata": {
        "uid": metadata["uid"], "resourceVersion": metadata["resourceVersion"], "ownerReferences": others,
    }});
    core.cluster.patch_metadata(at, &Patch::Merge(patch)).await.map(drop)
}
