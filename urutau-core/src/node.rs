//! The constant tree that a derive writes, and what is read off it.
//!
//! Everything that follows from a declaration (the kinds to watch, the rules to hold, what may clash) is a
//! walk of this tree, by `const fn`s that run at compile time and at run time alike.

use crate::kind::KindId;
use crate::name::Name;
use crate::rbac::Rules;
use crate::ready::Check;

/// What a struct declares.
#[derive(Debug)]
#[non_exhaustive]
pub enum Node {
    /// One Kubernetes object.
    Object(Object),
    /// Members under one base name.
    Set(Set),
    /// A collection of what is declared below.
    Many(&'static Node),
    /// Declared while the `Option` is `Some`.
    Maybe(&'static Node),
    /// Declared once the `Result` is `Ok`.
    Waits(&'static Node),
    /// Stands in for a struct that the derive refused; it says nothing.
    Unknown,
}

/// One owned object.
#[derive(Debug)]
pub struct Object {
    /// The struct that declares it.
    pub declared_by: &'static str,
    /// Its kind.
    pub kind: KindId,
    /// Its own name template, if it does not take the name that is handed down.
    pub name: Option<Name>,
    /// How it is written and removed.
    pub policy: Policy,
    /// How its readiness is told, if the set waits for it.
    pub ready: Option<Check>,
    /// What it grants, if it is a Role or `ClusterRole`.
    pub grants: &'static [Grant],
    /// Whether its rules are those of other roles, which the cluster fills in.
    pub aggregates: bool,
    /// What it binds, if it is a binding.
    pub binds: Option<Binding>,
}

/// Members under one base name.
#[derive(Debug)]
pub struct Set {
    /// The struct that declares it.
    pub declared_by: &'static str,
    /// The kind of the owner; a set that is nested in another has none.
    pub owner: Option<KindId>,
    /// The field manager that the set asks for; the process may replace it.
    pub manager: Option<&'static str>,
    /// The base name, if it does not take the name that is handed down.
    pub name: Option<Name>,
    /// Labels that go on every object of the set.
    pub labels: &'static [(&'static str, Name)],
    /// Kinds that `declare` may read.
    pub reads: &'static [KindId],
    /// The members, in the order of the struct.
    pub slots: &'static [Slot],
}

/// One member of a set.
#[derive(Debug)]
pub struct Slot {
    /// The field.
    pub field: &'static str,
    /// The name it is given in place of the base name.
    pub name: Option<Name>,
    /// The namespace it is put in, for an owner that has none.
    pub namespace: Option<Name>,
    /// What it declares.
    pub node: &'static Node,
    /// The members it comes after, by their place in the set.
    pub after: &'static [usize],
    /// Whether its API may be absent.
    pub optional_api: bool,
}

/// A rule set that a role hands out.
#[derive(Debug)]
pub struct Grant {
    /// The name of the rule set.
    pub name: &'static str,
    /// Its rules.
    pub rules: &'static Rules,
}

/// The role that a binding refers to.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// `Role` or `ClusterRole`.
    pub role: KindId,
    /// The template of its name.
    pub name: Name,
}

/// How an object is written and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// When it is written.
    pub apply: Apply,
    /// What happens when it is no longer declared.
    pub on_removal: OnRemoval,
    /// What happens when another manager owns a field that we declare.
    pub conflict: Conflict,
    /// Earlier field managers whose fields become ours.
    pub takes_over: &'static [&'static str],
}

impl Policy {
    /// Applied always, deleted when no longer declared, fields taken back from others.
    pub const DEFAULT: Self =
        Self { apply: Apply::Always, on_removal: OnRemoval::Delete, conflict: Conflict::Force, takes_over: &[] };
}

/// When an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apply {
    /// Whenever what we own differs from what we declare.
    Always,
    /// Created if absent, and never changed.
    Once,
    /// As always; an object whose change is refused as immutable is deleted and created anew.
    Recreate,
}

/// What happens to an object that is no longer declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRemoval {
    /// It is deleted.
    Delete,
    /// It stays, without our owner reference.
    Keep,
}

/// What happens when another manager owns a field that we declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The field becomes ours.
    Force,
    /// The field stays theirs, and a condition says so.
    Yield,
}

impl Node {
    /// The node without the containers around it.
    pub const fn bare(&self) -> &Node {
        match self {
            Self::Many(inner) | Self::Maybe(inner) | Self::Waits(inner) => inner.bare(),
            _ => self,
        }
    }

    /// The struct that declares it; nothing for a stand-in.
    pub const fn declared_by(&self) -> &'static str {
        match self.bare() {
            Self::Object(object) => object.declared_by,
            Self::Set(set) => set.declared_by,
            _ => "",
        }
    }

    /// Calls `visit` with every object below, once for each place where it is declared, and with whether its
    /// API may be absent.
    pub fn every_object(&'static self, visit: &mut dyn FnMut(&'static Object, bool)) {
        fn walk(node: &'static Node, optional: bool, visit: &mut dyn FnMut(&'static Object, bool)) {
            match node {
                Node::Object(object) => visit(object, optional),
                Node::Set(set) => {
                    for slot in set.slots {
                        walk(slot.node, optional || slot.optional_api, visit);
                    }
                }
                Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => walk(inner, optional, visit),
                Node::Unknown => {}
            }
        }
        walk(self, false, visit);
    }

    /// Every kind below, once, with whether any object of it is watched for readiness and whether its API
    /// may be absent.
    pub fn kinds(&'static self) -> Vec<WatchedKind> {
        let mut kinds: Vec<WatchedKind> = Vec::new();
        self.every_object(&mut |object, optional| {
            let (kind, ready) = (object.kind, object.ready.is_some());
            if let Some(known) = kinds.iter_mut().find(|known| known.kind.is(&kind)) {
                known.ready |= ready;
                known.optional_api &= optional;
            } else {
                kinds.push(WatchedKind { kind, ready, optional_api: optional });
            }
        });
        kinds
    }
}

/// A kind that a set owns objects of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedKind {
    /// The kind.
    pub kind: KindId,
    /// Whether readiness is read off any object of it.
    pub ready: bool,
    /// Whether the set goes on without it when the API server does not serve it.
    pub optional_api: bool,
}
