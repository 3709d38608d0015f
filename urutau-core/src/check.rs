//! What the compiler checks of a set: these functions run in constants that the derives write, each at the
//! token it speaks of.

// A panic in a constant is how a compile error is made; assertions there take no text that was put together.
#![allow(clippy::panic, clippy::manual_assert)]

use crate::handed::Handed;
use crate::kind::KindId;
use crate::message::Message;
use crate::name::same_text;
use crate::node::{Node, Set, Slot};
use crate::rbac::OutOfPlace;

/// How often an object of this kind and name is declared below `node`.
const fn times(node: &Node, handed: &Handed<'_>, kind: &KindId, name: &Handed<'_>) -> usize {
    match node {
        Node::Object(object) => (object.kind.is(kind) && handed.object(object).is(name)) as usize,
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => times(inner, handed, kind, name),
        Node::Set(set) => {
            let base = handed.base(set);
            let (mut n, mut i) = (0, 0);
            while i < set.slots.len() {
                n += times(set.slots[i].node, &base.slot(&set.slots[i]), kind, name);
                i += 1;
            }
            n
        }
        Node::Unknown => 0,
    }
}

/// The first member up to `last` that declares an object which `node` declares too; a member that is alone in it
/// is found once.
const fn clash<'a>(
    node: &Node,
    handed: &Handed<'_>,
    root: &Handed<'_>,
    slots: &'a [Slot],
    last: usize,
) -> Option<(&'a str, &'static str)> {
    match node {
        Node::Object(object) => {
            let name = handed.object(object);
            let (mut found, mut i) = (0, 0);
            while i <= last {
                found += times(slots[i].node, &root.slot(&slots[i]), &object.kind, &name);
                if (i < last && found > 0) || found > 1 {
                    return Some((slots[i].field, object.kind.kind));
                }
                i += 1;
            }
            None
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => clash(inner, handed, root, slots, last),
        Node::Set(set) => {
            let base = handed.base(set);
            let mut i = 0;
            while i < set.slots.len() {
                if let Some(found) = clash(set.slots[i].node, &base.slot(&set.slots[i]), root, slots, last) {
                    return Some(found);
                }
                i += 1;
            }
            None
        }
        Node::Unknown => None,
    }
}

/// Whether `node` holds a collection of objects whose name is the same for all of them, with the kind.
const fn same_for_all(node: &Node, handed: &Handed<'_>, many: bool) -> Option<&'static str> {
    match node {
        Node::Object(object) => {
            if many && !handed.object(object).varies() && !handed.varies() {
                Some(object.kind.kind)
            } else {
                None
            }
        }
        Node::Many(inner) => same_for_all(inner, handed, true),
        Node::Maybe(inner) | Node::Waits(inner) => same_for_all(inner, handed, many),
        Node::Set(set) => {
            let base = handed.base(set);
            let mut i = 0;
            while i < set.slots.len() {
                if let Some(kind) = same_for_all(set.slots[i].node, &base.slot(&set.slots[i]), many) {
                    return Some(kind);
                }
                i += 1;
            }
            None
        }
        Node::Unknown => None,
    }
}

/// Whether `node` holds an object that an owner of this scope can't own, with the kind.
const fn unownable(node: &Node, owner: &KindId, placed: bool) -> Option<(&'static str, bool)> {
    match node {
        Node::Object(object) => {
            let kind = &object.kind;
            if owner.namespaced && !kind.namespaced {
                Some((kind.kind, false))
            } else if !owner.namespaced && kind.namespaced && !placed {
                Some((kind.kind, true))
            } else {
                None
            }
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => unownable(inner, owner, placed),
        Node::Set(set) => {
            let mut i = 0;
            while i < set.slots.len() {
                let placed = placed || set.slots[i].namespace.is_some();
                if let Some(found) = unownable(set.slots[i].node, owner, placed) {
                    return Some(found);
                }
                i += 1;
            }
            None
        }
        Node::Unknown => None,
    }
}

/// Checks the `i`-th member of a set against those before it, and what it holds.
///
/// # Panics
/// In constant evaluation only, where it is the compile error: two objects of one kind and name template, a
/// collection whose objects would all have one name, an object that the owner can't own, or a Role that grants what lies
/// in no namespace.
#[track_caller]
pub const fn member(set: &Set, i: usize) {
    let slot = &set.slots[i];
    let whole = Handed::of_set(set);
    let root = whole.base(set);
    let handed = root.slot(slot);
    let mut message = Message::new();
    message.push("`");
    message.push(slot.field);
    if let Some((other, kind)) = clash(slot.node, &handed, &root, set.slots, i) {
        message.push("` declares a ");
        message.push(kind);
        message.push(" of the same name as ");
        if same_text(other, slot.field) {
            message.push("another of its own");
        } else {
            message.push("`");
            message.push(other);
            message.push("`");
        }
        message.push("\nhelp: give one of them a name of its own: #[member(name = \"...\")]");
        panic!("{}", message.text());
    }
    if let Some(kind) = same_for_all(slot.node, &handed, false) {
        message.push("` is a collection whose ");
        message.push(kind);
        message.push(" has the same name every time");
        message.push("\nhelp: name it after a field of its struct: #[owned(");
        message.push(kind);
        message.push(", name = \"{owner}-{field}\")], or after the key of a map: #[member(name = \"{name}-{key}\")]");
        panic!("{}", message.text());
    }
    let Some(owner) = &set.owner else { return };
    if let Some((kind, no_namespace)) = unownable(slot.node, owner, slot.namespace.is_some()) {
        message.push("` holds a ");
        message.push(kind);
        if no_namespace {
            message.push(", which lives in a namespace, and ");
            message.push(owner.kind);
            message.push(" has none\nhelp: say which: #[member(namespace = \"...\")]");
        } else {
            message.push(", which is cluster-scoped, and the owner ");
            message.push(owner.kind);
            message.push(" lives in a namespace: garbage collection would take it for an orphan");
            message.push("\nhelp: own namespaced objects only, or make the owner cluster-scoped");
        }
        panic!("{}", message.text());
    }
    if let Some(found) = OutOfPlace::find(slot.node) {
        found.tell(&mut message);
        panic!("{}", message.text());
    }
    if owner.namespaced && slot.namespace.is_some() {
        message.push("` is put in a namespace of its own, and an owner reference can't leave that of ");
        message.push(owner.kind);
        message.push("\nhelp: take `namespace` out; the member goes where its owner is");
        panic!("{}", message.text());
    }
}

/// Checks that the `i`-th kind that a set reads is one that its owner can read: what lives in a namespace is looked for in
/// the owner's.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn read(set: &Set, i: usize) {
    let (Some(owner), kind) = (&set.owner, &set.reads[i]) else { return };
    if kind.namespaced && !owner.namespaced {
        let mut message = Message::new();
        message.push("a ");
        message.push(kind.kind);
        message.push(" lives in a namespace and is read in that of its owner, and ");
        message.push(owner.kind);
        message.push(" has none\nhelp: let ");
        message.push(owner.kind);
        message.push(" live in a namespace, or take ");
        message.push(kind.kind);
        message.push(" out of `reads` and refer to it by its name in what is owned");
        panic!("{}", message.text());
    }
}

/// The set behind a node; for anything else one without members, so that nothing is checked.
pub const fn set(node: &'static Node) -> &'static Set {
    const EMPTY: Set =
        Set { declared_by: "", owner: None, manager: None, name: None, labels: &[], reads: &[], slots: &[] };
    match node {
        Node::Set(set) => set,
        _ => &EMPTY,
    }
}

const RBAC: &str = "rbac.authorization.k8s.io";

const fn is_role(kind: &KindId) -> bool {
    same_text(kind.group, RBAC) && (same_text(kind.kind, "Role") || same_text(kind.kind, "ClusterRole"))
}

const fn is_binding(kind: &KindId) -> bool {
    same_text(kind.group, RBAC) && (same_text(kind.kind, "RoleBinding") || same_text(kind.kind, "ClusterRoleBinding"))
}

/// Refuses a path that writes permissions by hand: what is granted would escape the proof.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn permissions(kind: &KindId, root: &str) {
    if is_role(kind) && same_text(root, "aggregation_rule") {
        panic!(
            "what a role takes over from others is said where it can be proved\nhelp: #[owned(ClusterRole, aggregates(\"key\" = \"value\"))]"
        );
    }
    if is_role(kind) && same_text(root, "rules") {
        panic!(
            "permissions are written by rule sets alone, so that every grant can be proved\nhelp: #[owned(Role, grants(Rules))], with a field of the type `Rules` that derives `RbacRules`"
        );
    }
    if is_binding(kind) && (same_text(root, "role_ref") || same_text(root, "subjects")) {
        panic!(
            "a binding refers to its role and its subject by type\nhelp: #[owned(RoleBinding, binds(Role = \"{{name}}\", ServiceAccount = \"{{name}}\"))]"
        );
    }
}

/// Checks that `grants` stands on a role and `binds` on a binding, and that neither is without. Permissions that are
/// said `otherwise` are checked there: by `aggregates`, or by hand, which is reported at their paths.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn role(kind: &KindId, grants: bool, binds: bool, otherwise: bool) {
    if is_role(kind) && !grants && !otherwise {
        panic!(
            "a role says what it grants\nhelp: #[owned(Role, grants(Rules))], with a field of the type `Rules` that derives `RbacRules`"
        );
    }
    if is_binding(kind) && !binds && !otherwise {
        panic!(
            "a binding says what it binds\nhelp: #[owned(RoleBinding, binds(Role = \"{{name}}\", ServiceAccount = \"{{name}}\"))]"
        );
    }
    if grants && !is_role(kind) {
        panic!("only a Role or a ClusterRole grants rules\nhelp: take `grants` out");
    }
    if binds && !is_binding(kind) {
        panic!("only a RoleBinding or a ClusterRoleBinding binds a role\nhelp: take `binds` out");
    }
}

/// Checks that `aggregates` stands on a kind that has it.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn aggregated(kind: &KindId) {
    if !is_role(kind) || kind.namespaced {
        panic!("only a ClusterRole has the rules of other roles\nhelp: take `aggregates` out");
    }
}

/// Checks that what a binding binds is a role that it can bind.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn bound(binding: &KindId, role: &KindId) {
    if !is_role(role) {
        panic!(
            "a binding refers to a Role or a ClusterRole\nhelp: binds(Role = \"{{name}}\", ServiceAccount = \"{{name}}\")"
        );
    }
    if is_binding(binding) && !binding.namespaced && role.namespaced {
        panic!(
            "a ClusterRoleBinding can't refer to a Role, which lives in a namespace\nhelp: binds(ClusterRole = \"{{name}}\", ...), or a RoleBinding"
        );
    }
}
