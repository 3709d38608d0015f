//! Whether rules cover rules, as the API server decides it, in constants and at run time.
//!
//! The API server splits a rule that is to be granted into single group × resource × verb × name pieces, and
//! each piece must be covered by **one** held rule. Pieces are atomic, so asking for the verbs that are held
//! on each resource and name loses nothing.

use super::derived;
use super::rule::{Only, Rule, Rules, Target};
use super::verbs::Verbs;
use crate::handed::Handed;
use crate::name::{Name, Piece, same_text};
use crate::node::Node;

/// The verbs that `held` gives on what `rule` speaks of, under `name` (`None`: any name).
pub(super) const fn verbs_of_rule(held: &Rule<'_>, rule: &Rule<'_>, url: usize, name: Option<&str>) -> Verbs {
    if !names_reach(held.only, name) {
        return Verbs::NONE;
    }
    let reaches = match (held.target, rule.target) {
        (
            Target::Resource { group, resource, sub, .. },
            Target::Resource { group: want_group, resource: want, sub: want_sub, .. },
        ) => {
            // Texts are compared where the ids are equal, and where a star may reach further than its text.
            (held.id == rule.id || is_star(group) || is_star(resource))
                && reaches_group(group, want_group)
                && reaches_resource(resource, sub, want, want_sub)
        }
        (Target::Urls(urls), Target::Urls(want)) => reaches_url(urls, want[url]),
        _ => false,
    };
    if reaches { held.verbs } else { Verbs::NONE }
}

const fn is_star(text: &str) -> bool {
    matches!(text.as_bytes(), [b'*'])
}

const fn reaches_group(held: &str, want: &str) -> bool {
    is_star(held) || same_text(held, want)
}

/// `*` is every resource and subresource; `*/sub` is that subresource of every resource; a bare resource is
/// none of its subresources.
const fn reaches_resource(held: &str, held_sub: &str, want: &str, want_sub: &str) -> bool {
    if is_star(held) {
        return held_sub.is_empty() || same_text(held_sub, want_sub);
    }
    same_text(held, want) && same_text(held_sub, want_sub)
}

/// A path that ends in `*` stands for what begins with the rest; further stars at its end are no more than one.
const fn reaches_url(held: &[&str], want: &str) -> bool {
    let mut i = 0;
    while i < held.len() {
        if same_text(held[i], want) {
            return true;
        }
        let mut prefix = held[i].as_bytes();
        let starred = matches!(prefix.last(), Some(b'*'));
        while let [rest @ .., b'*'] = prefix {
            prefix = rest;
        }
        if starred && begins_with(want.as_bytes(), prefix) {
            return true;
        }
        i += 1;
    }
    false
}

const fn begins_with(text: &[u8], prefix: &[u8]) -> bool {
    let mut same = 0;
    while same < prefix.len() && same < text.len() && prefix[same] == text[same] {
        same += 1;
    }
    same == prefix.len()
}

/// A rule with names never covers a piece without; names that only a value knows cover nothing here.
const fn names_reach(held: Only<'_>, name: Option<&str>) -> bool {
    match (held, name) {
        (Only::Any, _) => true,
        (Only::Name(held), Some(name)) => match fixed(held) {
            Some(fixed) => same_text(fixed, name),
            None => false,
        },
        (Only::Names(held), Some(name)) => {
            let mut i = 0;
            while i < held.len() {
                if let Some(fixed) = fixed(held[i])
                    && same_text(fixed, name)
                {
                    return true;
                }
                i += 1;
            }
            false
        }
        (Only::Texts(held), Some(name)) => {
            let mut i = 0;
            while i < held.len() {
                if same_text(held[i].as_str(), name) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// The name, where the template is one.
pub(super) const fn fixed(name: Name) -> Option<&'static str> {
    match name {
        [Piece::Text(text)] => Some(*text),
        _ => None,
    }
}

/// Which of the rules that managing a set takes are counted on.
#[derive(Clone, Copy)]
pub(super) enum Count {
    /// Those that an operator can't do without.
    Needed,
    /// Those of members whose API may be absent too: where they are not held, those members are off.
    All,
}

impl Count {
    const fn leaves_out(self, optional: bool) -> bool {
        optional && matches!(self, Self::Needed)
    }
}

/// The verbs that a tree gives on what `rule` speaks of.
pub(super) const fn held(rules: &Rules, rule: &Rule<'_>, url: usize, name: Option<&str>, count: Count) -> Verbs {
    let mut verbs = Verbs::NONE;
    match rules {
        Rules::Leaf(leaf) => {
            let mut i = 0;
            while i < leaf.len() {
                verbs = verbs.and(verbs_of_rule(&leaf[i], rule, url, name));
                i += 1;
            }
        }
        Rules::Join(all) => {
            let mut i = 0;
            while i < all.len() {
                verbs = verbs.and(held(all[i], rule, url, name, count));
                i += 1;
            }
        }
        Rules::Of(node) => verbs = held_by_managing(node, &Handed::root(node), rule, url, name, count),
        Rules::Unknown => verbs = rule.verbs,
    }
    verbs
}

const fn held_by_managing(
    node: &Node,
    handed: &Handed<'_>,
    rule: &Rule<'_>,
    url: usize,
    name: Option<&str>,
    count: Count,
) -> Verbs {
    let (mut verbs, mut i) = (Verbs::NONE, 0);
    match node {
        Node::Object(object) => {
            while i < derived::OWNED {
                let own = derived::owned(object, &handed.object(object), i);
                verbs = verbs.and(verbs_of_rule(&own, rule, url, name));
                i += 1;
            }
        }
        Node::Set(set) => {
            while i < derived::count(set) {
                verbs = verbs.and(verbs_of_rule(&derived::nth(set, i), rule, url, name));
                i += 1;
            }
            let base = handed.base(set);
            i = 0;
            while i < set.slots.len() {
                let slot = &set.slots[i];
                if !count.leaves_out(slot.optional_api) {
                    verbs = verbs.and(held_by_managing(slot.node, &base.slot(slot), rule, url, name, count));
                }
                i += 1;
            }
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => {
            verbs = held_by_managing(inner, handed, rule, url, name, count);
        }
        Node::Unknown => verbs = rule.verbs,
    }
    verbs
}

impl Rules {
    /// Whether the rules cover all of a rule, as the API server decides it: every piece of resource, verb and name by
    /// one of them. In constants too.
    pub const fn cover(&self, rule: &Rule<'_>) -> bool {
        uncovered(self, rule, Count::All).is_empty()
    }
}

/// How many pieces `rule` has that are covered each by itself: its paths, or its names.
pub(super) const fn pieces(rule: &Rule<'_>) -> usize {
    match (rule.target, rule.only) {
        (Target::Urls(urls), _) => urls.len(),
        (_, Only::Names(names)) => names.len(),
        (_, Only::Texts(names)) => names.len(),
        (_, Only::Any | Only::Name(_) | Only::RunTime) => 1,
    }
}

/// The verbs of the `i`-th piece of `rule` that `rules` do not cover.
pub(super) const fn uncovered_piece(rules: &Rules, rule: &Rule<'_>, i: usize, count: Count) -> Verbs {
    let held = match (rule.target, rule.only) {
        (Target::Urls(_), _) => held(rules, rule, i, None, count),
        (_, Only::Name(name)) => held(rules, rule, 0, fixed(name), count),
        (_, Only::Names(names)) => held(rules, rule, 0, fixed(names[i]), count),
        (_, Only::Texts(names)) => held(rules, rule, 0, Some(names[i].as_str()), count),
        (_, Only::Any | Only::RunTime) => held(rules, rule, 0, None, count),
    };
    rule.verbs.without(held)
}

/// The verbs of `rule` that `rules` do not cover.
pub(super) const fn uncovered(rules: &Rules, rule: &Rule<'_>, count: Count) -> Verbs {
    let (mut missing, mut i) = (Verbs::NONE, 0);
    while i < pieces(rule) {
        missing = missing.and(uncovered_piece(rules, rule, i, count));
        i += 1;
    }
    missing
}
