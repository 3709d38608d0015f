//! Rules and trees of them, as constants.

use super::verbs::Verbs;
use crate::kind::{Kind, KindId};
use crate::name::Name;
use crate::node::Node;

/// One rule: verbs on one resource, or on non-resource URLs.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'a> {
    /// What it speaks of.
    pub target: Target<'a>,
    /// What may be done.
    pub verbs: Verbs,
    /// On which names.
    pub only: Only<'a>,
    /// Where it has to be held.
    pub place: Place,
    /// Held only so that it can be granted; no call of ours may rest on it.
    pub to_grant: bool,
    /// A hash of group, resource and subresource: texts are compared only where it is equal.
    pub id: u64,
}

/// Where a rule has to be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In each namespace that is worked in.
    Namespaces,
    /// In the whole cluster: what it speaks of lives in no namespace, or nobody knows where.
    Cluster,
}

/// What a rule speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A resource of an API group.
    Resource {
        /// The API group; `*` for every group.
        group: &'a str,
        /// The plural; `*` for every resource.
        resource: &'a str,
        /// The subresource; empty for the resource itself.
        sub: &'a str,
        /// How the author names it in an attribute: the kind; empty when it has no type.
        kind: &'a str,
    },
    /// Paths of the API server that are not resources; one that ends in `*` stands for what begins so.
    Urls(&'a [&'a str]),
}

/// The names that a rule is limited to.
#[derive(Clone, Copy, Debug)]
pub enum Only<'a> {
    /// Every name.
    Any,
    /// The name that this template gives.
    Name(Name),
    /// The names that these templates give.
    Names(&'a [Name]),
    /// These names.
    Texts(&'a [String]),
    /// Names that only a value knows.
    RunTime,
}

/// A tree of rules. Concatenating constant arrays does not work through generics; a tree of references does.
#[derive(Debug)]
pub enum Rules {
    /// Rules as they were said.
    Leaf(&'static [Rule<'static>]),
    /// All of these.
    Join(&'static [&'static Rules]),
    /// What managing this set takes.
    Of(&'static Node),
    /// Stands in for a rule set that the derive refused: it covers everything, so that nothing follows.
    Unknown,
}

impl Place {
    /// Where what is said of objects of this kind counts.
    pub(crate) const fn of(kind: &KindId) -> Self {
        if kind.namespaced { Self::Namespaces } else { Self::Cluster }
    }
}

impl<'a> Rule<'a> {
    /// Verbs on the kind `K` or a subresource of it.
    pub const fn on<K: Kind>(sub: &'a str, verbs: Verbs, only: Only<'a>, to_grant: bool) -> Self {
        Self::on_kind(KindId::of::<K>(), sub, verbs, only, to_grant)
    }

    /// The same for a kind that is already a value.
    pub const fn on_kind(kind: KindId, sub: &'a str, verbs: Verbs, only: Only<'a>, to_grant: bool) -> Self {
        let target = Target::Resource { group: kind.group, resource: kind.plural, sub, kind: kind.kind };
        let place = Place::of(&kind);
        Self { target, verbs, only, place, to_grant, id: id(kind.group, kind.plural, sub) }
    }

    /// Verbs on a resource that has no type here; `*` is every group or resource.
    pub const fn named(
        group: &'a str,
        resource: &'a str,
        sub: &'a str,
        verbs: Verbs,
        only: Only<'a>,
        to_grant: bool,
    ) -> Self {
        let target = Target::Resource { group, resource, sub, kind: "" };
        Self { target, verbs, only, place: Place::Cluster, to_grant, id: id(group, resource, sub) }
    }

    /// Verbs on paths of the API server.
    pub const fn urls(urls: &'a [&'a str], verbs: Verbs, to_grant: bool) -> Self {
        Self { target: Target::Urls(urls), verbs, only: Only::Any, place: Place::Cluster, to_grant, id: 0 }
    }
}

/// FNV-1a over the three texts with a separator after each.
const fn id(group: &str, resource: &str, sub: &str) -> u64 {
    let parts = [group.as_bytes(), resource.as_bytes(), sub.as_bytes()];
    let (mut hash, mut part) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            hash = (hash ^ parts[part][i] as u64).wrapping_mul(0x0100_0000_01b3);
            i += 1;
        }
        hash = (hash ^ b'/' as u64).wrapping_mul(0x0100_0000_01b3);
        part += 1;
    }
    hash
}
