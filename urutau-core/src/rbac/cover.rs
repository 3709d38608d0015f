//! Whether rules cover rules, as the API server decides it, in constants and at run time.
//!
//! The API server splits a rule that is to be granted into single group × resource × verb × name pieces, and
//! each piece must be covered by **one** held rule. Pieces are atomic, so asking for the verbs that are held
//! on each resource and name loses nothing.

use super::derived;
use super::rule::{Only, Rule, Rules, Target};
use super::verbs::Verbs;
use crate::message::Message;
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
            (held.id == rule.id
                && same_text(resource, want)
                && same_text(sub, want_sub)
                && same_text(group, want_group))
                || (reaches_group(group, want_group) && reaches_resource(resource, sub, want, want_sub))
        }
        (Target::Urls(urls), Target::Urls(want)) => reaches_url(urls, want[url]),
        _ => false,
    };
    if reaches { held.verbs } else { Verbs::NONE }
}

const fn reaches_group(held: &str, want: &str) -> bool {
    same_text(held, "*") || same_text(held, want)
}

/// `*` is every resource and subresource; `*/sub` is that subresource of every resource; a bare resource is
/// none of its subresources.
const fn reaches_resource(held: &str, held_sub: &str, want: &str, want_sub: &str) -> bool {
    if same_text(held, "*") {
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
const fn fixed(name: Name) -> Option<&'static str> {
    match name {
        [Piece::Text(text)] => Some(*text),
        _ => None,
    }
}

/// The verbs that a tree gives on what `rule` speaks of.
const fn held(rules: &Rules, rule: &Rule<'_>, url: usize, name: Option<&str>) -> Verbs {
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
                verbs = verbs.and(held(all[i], rule, url, name));
                i += 1;
            }
        }
        Rules::Of(node) => verbs = held_by_managing(node, rule, url, name),
        Rules::Unknown => verbs = rule.verbs,
    }
    verbs
}

const fn held_by_managing(node: &Node, rule: &Rule<'_>, url: usize, name: Option<&str>) -> Verbs {
    match node {
        Node::Object(object) => verbs_of_rule(&derived::owned(object), rule, url, name),
        Node::Set(set) => {
            let (mut verbs, mut i) = (Verbs::NONE, 0);
            while i < derived::count(set) {
                verbs = verbs.and(verbs_of_rule(&derived::nth(set, i), rule, url, name));
                i += 1;
            }
            i = 0;
            while i < set.slots.len() {
                verbs = verbs.and(held_by_managing(set.slots[i].node, rule, url, name));
                i += 1;
            }
            verbs
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => held_by_managing(inner, rule, url, name),
        Node::Unknown => rule.verbs,
    }
}

/// The verbs of `rule` that `rules` do not cover.
pub(super) const fn uncovered(rules: &Rules, rule: &Rule<'_>) -> Verbs {
    let mut missing = Verbs::NONE;
    match (rule.target, rule.only) {
        (Target::Urls(urls), _) => {
            let mut i = 0;
            while i < urls.len() {
                missing = missing.and(rule.verbs.without(held(rules, rule, i, None)));
                i += 1;
            }
        }
        (_, Only::Names(names)) => {
            let mut i = 0;
            while i < names.len() {
                missing = missing.and(rule.verbs.without(held(rules, rule, 0, fixed(names[i]))));
                i += 1;
            }
        }
        (_, Only::Texts(names)) => {
            let mut i = 0;
            while i < names.len() {
                missing = missing.and(rule.verbs.without(held(rules, rule, 0, Some(names[i].as_str()))));
                i += 1;
            }
        }
        (_, Only::Any | Only::RunTime) => missing = rule.verbs.without(held(rules, rule, 0, None)),
    }
    missing
}

const fn missing_of(by: &str, rules: &Rules, want: &Rules, message: &mut Message) {
    match want {
        Rules::Leaf(leaf) => {
            let mut i = 0;
            while i < leaf.len() {
                let verbs = uncovered(rules, &leaf[i]);
                if !verbs.is_empty() {
                    message.grant(by, &leaf[i], verbs);
                }
                i += 1;
            }
        }
        Rules::Join(all) => {
            let mut i = 0;
            while i < all.len() {
                missing_of(by, rules, all[i], message);
                i += 1;
            }
        }
        Rules::Of(_) | Rules::Unknown => {}
    }
}

const fn walk(node: &Node, rules: &Rules, message: &mut Message) {
    match node {
        Node::Object(object) => {
            let mut i = 0;
            while i < object.grants.len() {
                missing_of(object.grants[i].name, rules, object.grants[i].rules, message);
                i += 1;
            }
        }
        Node::Set(set) => {
            let mut i = 0;
            while i < set.slots.len() {
                walk(set.slots[i].node, rules, message);
                i += 1;
            }
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => walk(inner, rules, message),
        Node::Unknown => {}
    }
}

/// Proves that `rules`, the rule set named `me`, cover every rule that a Role or `ClusterRole` of `managed`
/// grants.
///
/// # Panics
/// In constant evaluation only, where it is the compile error: with the grants, the verbs and resources that
/// are missing, and the attribute to add.
#[track_caller]
#[allow(clippy::panic)] // A panic in a constant is how a compile error is made.
pub const fn grants_are_held(me: &str, rules: &Rules, managed: &Node) {
    let mut message = Message::new();
    walk(managed, rules, &mut message);
    if !message.is_empty() {
        let mut whole = Message::new();
        whole.push("`");
        whole.push(me);
        whole.push("` grants what it does not hold, and the API server refuses that:");
        whole.push(message.text());
        panic!("{}", whole.text());
    }
}
