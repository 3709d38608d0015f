//! The proof that an operator holds what it grants, and the report of rules that say nothing new.

// A panic in a constant is how a compile error is made.
#![allow(clippy::panic, clippy::manual_assert)]

use super::cover::{Count, held, uncovered};
use super::derived::{self, only};
use super::rule::{Only, Rule, Rules};
use super::verbs::Verbs;
use crate::handed::Handed;
use crate::message::Message;
use crate::node::{Binding, Node, Object, Set};

/// A managed tree, and the rules that have to cover what it grants.
#[derive(Clone, Copy)]
struct Proof<'a> {
    rules: &'a Rules,
    managed: &'a Node,
    /// What a member grants that is off without its own rights may rest on those; nothing else may.
    count: Count,
}

/// Proves that `rules`, the rule set named `me`, cover everything that `managed` grants: the rules of its roles, and
/// the roles that it binds and does not have among its own.
///
/// # Panics
/// In constant evaluation only, where it is the compile error: with every grant that is not held, the verbs and
/// resources that are missing, and the attribute to add.
#[track_caller]
pub const fn grants_are_held(me: &str, rules: &Rules, managed: &Node) {
    let mut message = Message::new();
    Proof { rules, managed, count: Count::Needed }.walk(managed, &Handed::root(managed), &mut message);
    if !message.is_empty() {
        let mut whole = Message::new();
        whole.push("`");
        whole.push(me);
        whole.push("` grants what it does not hold, and the API server refuses that; add above `struct ");
        whole.push(me);
        whole.push("` what is missing:");
        whole.push(message.text());
        panic!("{}", whole.text());
    }
}

impl Proof<'_> {
    const fn walk(self, node: &Node, handed: &Handed<'_>, message: &mut Message) {
        match node {
            Node::Object(object) => self.object(object, &handed.object(object), message),
            Node::Set(set) => {
                let base = handed.base(set);
                let mut i = 0;
                while i < set.slots.len() {
                    let slot = &set.slots[i];
                    let proof = if slot.optional_api { Proof { count: Count::All, ..self } } else { self };
                    proof.walk(slot.node, &base.slot(slot), message);
                    i += 1;
                }
            }
            Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => self.walk(inner, handed, message),
            Node::Unknown => {}
        }
    }

    const fn object(self, object: &Object, name: &Handed<'_>, message: &mut Message) {
        // Whoever may escalate a role may write anything into it.
        if has_rules(object) && !self.may_escalate(object, name) {
            self.grants(object, name, message);
        }
        if let Some(binding) = &object.binds {
            self.binding(object, binding, name, message);
        }
    }

    const fn may_escalate(self, object: &Object, name: &Handed<'_>) -> bool {
        uncovered(self.rules, &derived::to_escalate(object, name), self.count).is_empty()
    }

    const fn grants(self, object: &Object, name: &Handed<'_>, message: &mut Message) {
        // The API server asks for every right there is, or for `escalate`, which is one of them.
        if object.aggregates {
            message.aggregation(object, name.fixed());
        }
        let mut i = 0;
        while i < object.grants.len() {
            self.grant(object.grants[i].name, object.grants[i].rules, message);
            i += 1;
        }
    }

    /// Whether a role of this name is one of the tree, and what it grants is proved there. Whoever may only `escalate` it
    /// may write it and not bind it, unless everything that it grants is held. What others fill in is not known to be.
    const fn has_role(self, node: &Node, handed: &Handed<'_>, binding: &Binding, name: &Handed<'_>) -> bool {
        match node {
            Node::Object(object) => {
                let mut missing = Message::new();
                let is_it = object.kind.is(&binding.role) && handed.object(object).is(name);
                if is_it && self.may_escalate(object, name) {
                    self.grants(object, name, &mut missing);
                }
                is_it && missing.is_empty()
            }
            Node::Set(set) => {
                let base = handed.base(set);
                let mut i = 0;
                while i < set.slots.len() {
                    if self.has_role(set.slots[i].node, &base.slot(&set.slots[i]), binding, name) {
                        return true;
                    }
                    i += 1;
                }
                false
            }
            Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => self.has_role(inner, handed, binding, name),
            Node::Unknown => false,
        }
    }

    const fn grant(self, by: &str, want: &Rules, message: &mut Message) {
        let mut i = 0;
        match want {
            Rules::Leaf(leaf) => {
                while i < leaf.len() {
                    self.rule(by, &leaf[i], message);
                    i += 1;
                }
            }
            Rules::Join(all) => {
                while i < all.len() {
                    self.grant(by, all[i], message);
                    i += 1;
                }
            }
            Rules::Of(node) => self.managing(by, node, &Handed::root(node), message),
            Rules::Unknown => {}
        }
    }

    /// A role can hand out what it takes to manage a set.
    const fn managing(self, by: &str, node: &Node, handed: &Handed<'_>, message: &mut Message) {
        let mut i = 0;
        match node {
            Node::Object(object) => {
                while i < derived::OWNED {
                    self.rule(by, &derived::owned(object, &handed.object(object), i), message);
                    i += 1;
                }
            }
            Node::Set(set) => {
                while i < derived::count(set) {
                    self.rule(by, &derived::nth(set, i), message);
                    i += 1;
                }
                self.managing_members(by, set, &handed.base(set), message);
            }
            Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => self.managing(by, inner, handed, message),
            Node::Unknown => {}
        }
    }

    const fn managing_members(self, by: &str, set: &Set, base: &Handed<'_>, message: &mut Message) {
        let mut i = 0;
        while i < set.slots.len() {
            self.managing(by, set.slots[i].node, &base.slot(&set.slots[i]), message);
            i += 1;
        }
    }

    const fn rule(self, by: &str, rule: &Rule<'_>, message: &mut Message) {
        let verbs = uncovered(self.rules, rule, self.count);
        if !verbs.is_empty() {
            let before = message.len();
            message.grant(by, self.rules, rule, verbs, self.count);
            message.unless_said(before);
        }
    }

    /// A binding to a role of the same tree grants what that role grants, which is proved there. What any other role
    /// grants nobody knows here, so it takes the verb `bind` on it.
    const fn binding(self, object: &Object, binding: &Binding, own: &Handed<'_>, message: &mut Message) {
        let name = own.bound(binding);
        if self.has_role(self.managed, &Handed::root(self.managed), binding, &name) {
            return;
        }
        let bind = Rule::on_kind(binding.role, "", Verbs::of(&["bind"]), only(&name), false);
        if uncovered(self.rules, &bind, self.count).is_empty() {
            return;
        }
        message.binding(object, binding, name.fixed());
    }
}

/// Whether it is a role.
const fn has_rules(object: &Object) -> bool {
    object.aggregates || !object.grants.is_empty()
}

/// Reports a verb of a rule on names that no request for it has, or not always: `why` says what to do. `only` is what the
/// field of the rule limits it to.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn verb_is_given(only: Option<Only<'static>>, why: &str) {
    if only.is_some() {
        panic!("{}", why);
    }
}

/// Reports a rule that was said by hand although managing the sets gives all of it already: two accounts of one right
/// drift apart.
///
/// # Panics
/// In constant evaluation only, where it is the compile error.
#[track_caller]
pub const fn rule_is_needed(said: &Rules, i: usize, derived: &Rules) {
    let Rules::Leaf(leaf) = said else { return };
    let rule = &leaf[i];
    if rule.to_grant || rule.verbs.is_empty() || !uncovered(derived, rule, Count::Needed).is_empty() {
        return;
    }
    // A stand-in after a mistake covers everything, and says nothing.
    let nothing = Rule::named("", "", "", Verbs::of(&["get"]), Only::Any, false);
    if held(derived, &nothing, 0, None, Count::Needed).is_empty() {
        panic!(
            "this rule is derived already from what is managed\nhelp: take it out; `to_grant` marks one that is held only to be granted on"
        );
    }
}
