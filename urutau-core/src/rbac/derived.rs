//! The rules that managing a set takes, verb by verb for the use that is made of them.

use super::rule::{Only, Rule};
use super::verbs::Verbs;
use crate::handed::Handed;
use crate::kind::KindId;
use crate::node::{Node, Object, Set};

/// Watching can't be limited to names.
const WATCHED: Verbs = Verbs::of(&["list", "watch"]);
/// Server-Side Apply takes `patch`, and `create` where the object is absent; `delete` removes, and the API server
/// asks for it when the owner references of an object change; `get` names the owner of an object that has the wanted
/// name already. All of them can be limited to a name: a create by Server-Side Apply has one.
const WRITTEN: Verbs = Verbs::of(&["get", "create", "patch", "delete"]);
const READ: Verbs = Verbs::of(&["get", "list", "watch"]);

/// Events are written in the group that the recorder uses; a repeated one is patched.
const EVENTS: KindId =
    KindId { group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true };

/// How many rules an owned object takes.
pub(super) const OWNED: usize = 2;

/// The `i`-th of the rules that an owned object of this name takes.
pub(super) const fn owned(object: &Object, name: &Handed<'_>, i: usize) -> Rule<'static> {
    if i == 0 {
        return Rule::on_kind(object.kind, "", WATCHED, Only::Any, false);
    }
    let only = match name.fixed() {
        Some(name) => Only::Name(name),
        None => Only::Any,
    };
    Rule::on_kind(object.kind, "", WRITTEN, only, false)
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

/// Calls `visit` with every rule that managing `node` takes, and with whether the set can do without it.
pub(super) fn each(node: &'static Node, visit: &mut dyn FnMut(Rule<'static>, bool)) {
    fn walk(node: &'static Node, handed: &Handed<'_>, optional: bool, visit: &mut dyn FnMut(Rule<'static>, bool)) {
        match node {
            Node::Object(object) => (0..OWNED).for_each(|i| visit(owned(object, &handed.object(object), i), optional)),
            Node::Set(set) => {
                (0..count(set)).for_each(|i| visit(nth(set, i), optional));
                let base = handed.base(set);
                for slot in set.slots {
                    walk(slot.node, &base.slot(slot), optional || slot.optional_api, visit);
                }
            }
            Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => walk(inner, handed, optional, visit),
            Node::Unknown => {}
        }
    }
    walk(node, &Handed::root(node), false, visit);
}
