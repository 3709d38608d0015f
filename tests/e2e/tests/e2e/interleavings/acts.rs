//! What others do, through every door there is.

use super::world::{FRONT, KINDS, NAME, OURS, PAGE, WIDGET, WORKERS, at, foreign, is_ours, put};
use e2e_tests::{Arena, Dice};
use kube::api::{DeleteParams, DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use urutau_core::KindId;

/// The doors through which an object is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Put,
    JsonPatch,
    MergePatch,
    ApplyAsAnother,
    /// A part of what we own under our own name, so that the rest is owned by nobody.
    ApplyAsUs,
    /// All of what we own under our own name, with another value.
    ApplyAllAsUs,
    Scale,
    Delete,
    Recreate,
    StripManagedFields,
    Finalizer,
    DropOwners,
    Steal,
    AddOwner,
}

const DOORS: [Door; 14] = [
    Door::Put,
    Door::JsonPatch,
    Door::MergePatch,
    Door::ApplyAsAnother,
    Door::ApplyAsUs,
    Door::ApplyAllAsUs,
    Door::Scale,
    Door::Delete,
    Door::Recreate,
    Door::StripManagedFields,
    Door::Finalizer,
    Door::DropOwners,
    Door::Steal,
    Door::AddOwner,
];

/// Somebody who is not the operator, and what is to be found of that later.
pub(super) struct Others<'a> {
    arena: &'a Arena,
    boss: DynamicObject,
    number: usize,
    /// What was written beside what is declared: it stays as long as the object.
    pub(super) wrote: BTreeMap<(KindId, String), (String, Value)>,
    /// Places that may be declared and were written: once that is over, what is there may be theirs.
    pub(super) touched: BTreeSet<(KindId, String)>,
    /// Objects of which nobody knows any more who wrote what.
    pub(super) stripped: BTreeSet<String>,
    /// Objects that are theirs.
    theirs: BTreeSet<String>,
}

fn updates(manager: &str) -> PatchParams {
    PatchParams { field_manager: Some(manager.to_owned()), ..PatchParams::default() }
}

fn posts(manager: &str) -> PostParams {
    PostParams { field_manager: Some(manager.to_owned()), ..PostParams::default() }
}

fn typed(object: Value) -> DynamicObject {
    serde_json::from_value(object).unwrap()
}

fn uid(object: &Value) -> String {
    object["metadata"]["uid"].as_str().unwrap_or_default().to_owned()
}

impl<'a> Others<'a> {
    pub(super) async fn of(arena: &'a Arena) -> Self {
        let boss = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "boss" } });
        let boss = arena.apply(&boss).await;
        Self {
            arena,
            boss,
            number: 0,
            wrote: BTreeMap::new(),
            touched: BTreeSet::new(),
            stripped: BTreeSet::new(),
            theirs: BTreeSet::new(),
        }
    }

    /// One thing that somebody does. What it was, and whether the API server took it: it may have come too late.
    ///
    /// Somebody who writes under our own name in the very second of our last apply, while no operator runs that hears of it,
    /// can't be told from us by anybody: the managed fields are those of our apply. So that waits for the next second,
    /// and `as_us` is set to have an operator that runs hear of it before it stops.
    pub(super) async fn act(&mut self, dice: &mut Dice, listens: bool, as_us: &mut bool) -> String {
        self.number += 1;
        let door = *dice.one(&DOORS);
        if matches!(door, Door::ApplyAsUs | Door::ApplyAllAsUs) {
            if listens {
                *as_us = true;
            } else {
                self.arena.next_second().await;
            }
        }
        let kind = if door == Door::Scale { WORKERS } else { *dice.one(&KINDS) };
        let (path, value) = foreign(dice, &kind, self.number);
        let found = self.arena.any(&kind).get_opt(NAME).await.unwrap();
        let Some(found) = found else { return format!("{door:?} of {}: not there", kind.kind) };
        let before = serde_json::to_value(found).unwrap();
        let mut after = before.clone();
        put(&mut after, &path, value.clone());
        let answer = self.through(door, &kind, &path, &value, before, after).await;
        let said = match answer {
            Ok(None) => "done".to_owned(),
            Ok(Some(object)) => {
                self.note(door, &kind, path.clone(), value.clone(), &object);
                format!("done, version {}", object["metadata"]["resourceVersion"])
            }
            Err(kube::Error::Api(status)) => format!("{} {}", status.code, status.reason),
            Err(error) => panic!("{error:?}"),
        };
        format!("{door:?} of {} at {path} = {value}: {said}", kind.kind)
    }

    /// Notes what has to be found later.
    fn note(&mut self, door: Door, kind: &KindId, path: String, value: Value, object: &Value) {
        let is_write = matches!(door, Door::Put | Door::JsonPatch | Door::MergePatch | Door::ApplyAsAnother);
        if is_ours(kind, &path) {
            self.touched.insert((*kind, path));
        } else if is_write {
            self.wrote.insert((*kind, path), (uid(object), value));
        }
        if matches!(door, Door::StripManagedFields | Door::Recreate) {
            self.stripped.insert(uid(object));
        }
        if matches!(door, Door::Recreate | Door::Steal) {
            self.theirs.insert(uid(object));
        }
    }

    async fn through(
        &self,
        door: Door,
        kind: &KindId,
        path: &str,
        value: &Value,
        before: Value,
        mut after: Value,
    ) -> kube::Result<Option<Value>> {
        let api = self.arena.any(kind);
        let json = |object: DynamicObject| Ok(Some(serde_json::to_value(object).unwrap()));
        let merge =
            |patch: Value| async { json(api.patch(NAME, &updates("kubectl-edit"), &Patch::Merge(patch)).await?) };
        match door {
            Door::Put => json(api.replace(NAME, &posts("kubectl-replace"), &typed(after)).await?),
            Door::JsonPatch => {
                let change = Patch::Json::<()>(json_patch::diff(&before, &after));
                json(api.patch(NAME, &updates("kubectl-patch"), &change).await?)
            }
            Door::MergePatch => merge(merging(&after, path)).await,
            Door::ApplyAsAnother => {
                let mut object = self.named(kind);
                put_with_keys(&mut object, path, value.clone());
                json(self.arena.apply_as(&format!("other-{}", self.number), &object).await?)
            }
            Door::ApplyAsUs | Door::ApplyAllAsUs => {
                let mut object = self.named(kind);
                let all = door == Door::ApplyAllAsUs;
                let places = super::world::declared(&json!({}));
                for (_, place, _) in places.iter().filter(|(of, ..)| of == kind) {
                    // A Deployment can't be without some of these.
                    let there = at(&before, place);
                    if !there.is_null() && (all || *kind == WORKERS) {
                        put_with_keys(&mut object, place, there);
                    }
                }
                if *kind == WORKERS {
                    put(&mut object, "/spec/selector", before["spec"]["selector"].clone());
                }
                if all {
                    put(&mut object, "/metadata/ownerReferences", before["metadata"]["ownerReferences"].clone());
                }
                put_with_keys(&mut object, path, value.clone());
                json(self.arena.apply_as(OURS, &object).await?)
            }
            Door::Scale => {
                let scale = Patch::Merge(json!({ "spec": { "replicas": 1 } }));
                api.patch_scale(NAME, &updates("kubectl-scale"), &scale).await.map(|_| None)
            }
            Door::Delete => api.delete(NAME, &DeleteParams::background()).await.map(|_| None),
            Door::Recreate => {
                api.delete(NAME, &DeleteParams::background()).await?;
                let metadata = json!({ "name": NAME, "labels": before["metadata"]["labels"] });
                after["metadata"] = metadata;
                if *kind == FRONT {
                    // The address goes with the object.
                    after["spec"].as_object_mut().unwrap().retain(|field, _| field == "ports" || field == "selector");
                }
                json(api.create(&posts("someone"), &typed(after)).await?)
            }
            Door::StripManagedFields => merge(json!({ "metadata": { "managedFields": [{}] } })).await,
            Door::Finalizer => merge(json!({ "metadata": { "finalizers": ["other.example/hold"] } })).await,
            Door::DropOwners => merge(json!({ "metadata": { "ownerReferences": null } })).await,
            Door::Steal => merge(json!({ "metadata": { "ownerReferences": [self.reference(true)] } })).await,
            Door::AddOwner => {
                let mut owners = before["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
                owners.retain(|owner| owner["kind"] != "ConfigMap");
                owners.push(self.reference(false));
                after["metadata"]["ownerReferences"] = json!(owners);
                json(api.replace(NAME, &posts("kubectl-replace"), &typed(after)).await?)
            }
        }
    }

    fn named(&self, kind: &KindId) -> Value {
        json!({ "apiVersion": kind.api_version(), "kind": kind.kind, "metadata": {
            "name": NAME, "namespace": self.arena.namespace,
        } })
    }

    fn reference(&self, controller: bool) -> Value {
        json!({
            "apiVersion": "v1", "kind": "ConfigMap", "name": "boss", "uid": self.boss.metadata.uid,
            "controller": controller,
        })
    }

    /// They stop: what they hold they let go of, and what is theirs they remove or hand over.
    pub(super) async fn stop(&self, dice: &mut Dice, trace: &mut Vec<String>) {
        let owner = self.arena.any(&WIDGET).get(NAME).await.unwrap();
        for kind in KINDS {
            let api = self.arena.any(&kind);
            let Some(found) = api.get_opt(NAME).await.unwrap() else { continue };
            let found = serde_json::to_value(found).unwrap();
            let metadata = &found["metadata"];
            if !metadata["deletionTimestamp"].is_null() {
                let free = json!({ "metadata": { "finalizers": null } });
                trace.push(format!("end: {} is let go of", kind.kind));
                let _ = api.patch(NAME, &updates("kubectl-edit"), &Patch::Merge(free)).await;
                continue;
            }
            let owners = metadata["ownerReferences"].as_array().cloned().unwrap_or_default();
            let controller = owners.iter().find(|owner| owner["controller"] == true).map(|owner| owner["uid"].clone());
            let recorded = owner.data["status"]["owned"].to_string().contains(&uid(&found));
            let ours = controller.as_ref().and_then(Value::as_str) == owner.metadata.uid.as_deref();
            let orphan = controller.is_none() && recorded && !self.theirs.contains(&uid(&found));
            if ours || orphan {
                continue;
            }
            if dice.percent(50) {
                trace.push(format!("end: {} is removed", kind.kind));
                let free = json!({ "metadata": { "finalizers": null } });
                let _ = api.patch(NAME, &updates("kubectl-edit"), &Patch::Merge(free)).await;
                let _ = api.delete(NAME, &DeleteParams::background()).await;
            } else {
                trace.push(format!("end: {} is handed over", kind.kind));
                let over = json!({ "metadata": { "ownerReferences": [{
                    "apiVersion": "acme.example/v1", "kind": "Widget", "name": NAME, "uid": owner.metadata.uid,
                    "controller": true,
                }] } });
                let _ = api.patch(NAME, &updates("kubectl-edit"), &Patch::Merge(over)).await;
            }
        }
    }
}

/// A merge patch that brings one place to what it is in `after`: lists go as a whole.
fn merging(after: &Value, path: &str) -> Value {
    let steps: Vec<_> = path.split('/').skip(1).take_while(|step| !step.contains('=')).collect();
    let value = at(after, &format!("/{}", steps.join("/")));
    steps.iter().rev().fold(value, |below, step| json!({ *step: below }))
}

/// The same as [`put`], with all that an entry of a list is told by.
fn put_with_keys(object: &mut Value, path: &str, value: Value) {
    put(object, path, value);
    if let Some(ports) = object.pointer_mut("/spec/ports").and_then(Value::as_array_mut) {
        for port in ports {
            port["protocol"] = json!("TCP");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_patch_carries_whole_lists() {
        let mut object = json!({ "spec": { "list": [{ "name": "a" }], "x": 1 } });
        put(&mut object, "/spec/list/name=b/value", json!("2"));
        let list = json!([{ "name": "a" }, { "name": "b", "value": "2" }]);
        assert_eq!(merging(&object, "/spec/list/name=b/value"), json!({ "spec": { "list": list } }));
        assert_eq!(merging(&object, "/spec/x"), json!({ "spec": { "x": 1 } }));
        assert_eq!(at(&object, "/spec/list/name=b/value"), "2");
        assert!(is_ours(&PAGE, "/data/a"));
    }
}
