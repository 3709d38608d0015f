//! The rules that managing a set takes, verb by verb for the use that is made of them.

use super::rule::{Only, Rule};
use super::verbs::Verbs;
use crate::kind::KindId;
use crate::node::{Node, Object, OnRemoval, Set};

/// Watching takes `list` and `watch`; Server-Side Apply takes `patch`, and `create` where the object is
/// absent; `get` names the owner of an object that has the wanted name already.
const OWNED: Verbs = Verbs::of(&["get", "list", "watch", "create", "patch"]);
/// Pruning takes it, and so does any repair of owner references where the API server enforces that.
const DELETED: Verbs = Verbs::of(&["delete"]);
const WATCHED: Verbs = Verbs::of(&["list", "watch"]);
const READ: Verbs = Verbs::of(&["get", "list", "watch"]);

/// Events are written in the group that the recorder uses; a repeated one is patched.
const EVENTS: KindId =
    KindId { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };

/// What the engine does with an owned object.
pub(super) const fn owned(object: &Object) -> Rule<'static> {
    let verbs = match object.policy.on_removal {
        OnRemoval::Delete | OnRemoval::Keep => OWNED.and(DELETED),
    };
    Rule::on_kind(object.kind, "", verbs, Only::Any, false)
}

/// How many rules a set takes for itself, its members aside.
pub(super) const fn count(set: &Set) -> usize {
    set.reads.len() + if set.owner.is_some() { 4 } else { 0 }
}

/// The `i`-th of the rules that a set takes for itself.
pub(super) const fn nth(set: &Set, i: usize) -> Rule<'static> {
    if i < set.reads.len() {
        return Rule::on_kind(set.reads[i], "", READ, Only::Any, false);
    }
    let owner = match set.owner {
        Some(owner) => owner,
        None => EVENTS,
    };
    match i - set.reads.len() {
        0 => Rule::on_kind(owner, "", WATCHED, Only::Any, false),
        1 => Rule::on_kind(owner, "status", Verbs::of(&["patch"]), Only::Any, false),
        // The API server asks for it when an owner reference blocks the owner's deletion.
        2 => Rule::on_kind(owner, "finalizers", Verbs::of(&["update"]), Only::Any, false),
        _ => Rule::on_kind(EVENTS, "", Verbs::of(&["create", "patch"]), Only::Any, false),
    }
}

/// Calls `visit` with every rule that managing `node` takes.
pub(super) fn each(node: &'static Node, visit: &mut dyn FnMut(Rule<'static>)) {
    match node {
        Node::Object(object) => visit(owned(object)),
        Node::Set(set) => {
            (0..count(set)).for_each(|i| visit(nth(set, i)));
            set.slots.iter().for_each(|slot| each(slot.node, visit));
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => each(inner, visit),
        Node::Unknown => {}
    }
}
