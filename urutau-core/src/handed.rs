//! The name that is handed down through a tree, as a template: one account of it for every walk.

use crate::name::{Name, Piece};
use crate::node::{Node, Object, Set, Slot};

/// The name that a node is handed.
#[derive(Clone, Copy)]
pub(crate) struct Handed {
    /// The template.
    pub(crate) name: Name,
    /// Whether it replaces a name of the node's own.
    pub(crate) renamed: bool,
}

impl Handed {
    /// What the whole of a tree is handed: to a set with an owner its name, to any other whatever it is.
    pub(crate) const fn root(node: &Node) -> Self {
        match node {
            Node::Set(set) => Self::of_set(set),
            _ => Self { name: &[Piece::Base], renamed: false },
        }
    }

    /// The same for a set.
    pub(crate) const fn of_set(set: &Set) -> Self {
        let name: Name = if set.owner.is_some() { &[Piece::Owner] } else { &[Piece::Base] };
        Self { name, renamed: false }
    }

    /// The name of an object.
    pub(crate) const fn object(self, object: &Object) -> Name {
        match object.name {
            Some(own) if !self.renamed => {
                if matches!(own, [Piece::Base]) {
                    self.name
                } else {
                    own
                }
            }
            _ => self.name,
        }
    }

    /// The base name of a set, which `{name}` stands for in it.
    pub(crate) const fn base(self, set: &Set) -> Name {
        match set.name {
            Some(own) if !self.renamed => own,
            _ => self.name,
        }
    }

    /// What a member of a set with this base name is handed.
    pub(crate) const fn slot(base: Name, slot: &Slot) -> Self {
        match slot.name {
            Some(name) => Self { name, renamed: true },
            None => Self { name: base, renamed: false },
        }
    }
}
