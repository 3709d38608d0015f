//! The text of a grant that is not held.

use super::cover::{Count, fixed, pieces, uncovered_piece};
use super::rule::{Only, Rule, Rules, Target};
use super::verbs::Verbs;
use crate::message::Message;
use crate::name::{Name, same_text};
use crate::node::{Binding, Object};

impl Message {
    /// The verbs, as a sentence or as an attribute has them.
    pub(super) const fn verbs(&mut self, verbs: Verbs, attribute: bool) {
        let (mut i, mut first) = (0, true);
        while i < Verbs::KNOWN {
            if let Some(name) = verbs.nth(i) {
                self.push(if first { "" } else { ", " });
                self.word(name, attribute && same_text(name, "*"));
                first = false;
            }
            i += 1;
        }
    }

    const fn word(&mut self, text: &str, quoted: bool) {
        self.push(if quoted { "\"" } else { "" });
        self.push(text);
        self.push(if quoted { "\"" } else { "" });
    }

    /// One grant that `rules` do not hold, and the attribute that mends it.
    pub(super) const fn grant(&mut self, by: &str, rules: &Rules, rule: &Rule<'_>, verbs: Verbs, count: Count) {
        let named = names_are_fixed(rule.only);
        self.push("\n  `");
        self.push(by);
        self.push("` grants ");
        self.verbs(verbs, false);
        self.push(" on ");
        match rule.target {
            Target::Urls(_) => self.missing(rules, rule, count, false),
            Target::Resource { group, resource, sub, .. } => {
                self.push(resource);
                self.subresource(sub, false);
                if !group.is_empty() {
                    self.push(" in ");
                    self.push(group);
                }
            }
        }
        if named {
            self.push(" named ");
            self.missing(rules, rule, count, true);
        } else if !matches!(rule.only, Only::Any) {
            self.push(" by names that are known only at run time");
        }
        self.push("\n    add  #[rule(");
        match rule.target {
            Target::Urls(_) => {
                self.push("urls(");
                self.missing(rules, rule, count, true);
                self.push(")");
            }
            Target::Resource { sub, kind, .. } if !kind.is_empty() => {
                self.push(kind);
                self.subresource(sub, false);
            }
            Target::Resource { group, resource, sub, .. } => {
                self.word(group, true);
                self.push("/");
                self.word(resource, true);
                self.subresource(sub, true);
            }
        }
        self.push(", verbs(");
        self.verbs(verbs, true);
        self.push(")");
        if named {
            self.push(", names(");
            self.missing(rules, rule, count, true);
            self.push(")");
        }
        self.push(", to_grant)]");
    }

    /// A binding to a role of whose rules nobody knows here, and the attribute that mends it.
    pub(super) const fn binding(&mut self, object: &Object, binding: &Binding, name: Option<Name>) {
        self.push("\n  `");
        self.push(object.declared_by);
        self.push("` binds the ");
        self.push(binding.role.kind);
        if let Some(name) = text(name) {
            self.push(" `");
            self.push(name);
            self.push("`");
        }
        self.push(", and nothing shows that what it grants is held: that takes the verb bind on it");
        self.verb_on(binding.role.kind, "bind", name);
    }

    /// A role that has the rules of others, and the attribute that mends it.
    pub(super) const fn aggregation(&mut self, object: &Object, name: Option<Name>) {
        self.push("\n  `");
        self.push(object.declared_by);
        self.push("` aggregates other roles, whatever they grant: that takes the verb escalate on it");
        self.verb_on(object.kind.kind, "escalate", name);
    }

    const fn verb_on(&mut self, kind: &str, verb: &str, name: Option<Name>) {
        self.push("\n    add  #[rule(");
        self.push(kind);
        self.push(", verbs(");
        self.push(verb);
        self.push(")");
        if let Some(name) = text(name) {
            self.push(", names(\"");
            self.push(name);
            self.push("\")");
        }
        self.push(")]");
    }

    pub(super) const fn subresource(&mut self, sub: &str, quoted: bool) {
        if !sub.is_empty() {
            self.push("/");
            self.word(sub, quoted);
        }
    }

    /// The paths or names that are not held.
    const fn missing(&mut self, rules: &Rules, rule: &Rule<'_>, count: Count, quoted: bool) {
        let (mut i, mut first) = (0, true);
        while i < pieces(rule) {
            if let Some(text) = piece(rule, i)
                && !uncovered_piece(rules, rule, i, count).is_empty()
            {
                self.push(if first { "" } else { ", " });
                self.word(text, quoted);
                first = false;
            }
            i += 1;
        }
    }
}

const fn text(name: Option<Name>) -> Option<&'static str> {
    match name {
        Some(name) => fixed(name),
        None => None,
    }
}

/// The `i`-th path or name, where it is known.
const fn piece<'a>(rule: &'a Rule<'_>, i: usize) -> Option<&'a str> {
    match (rule.target, rule.only) {
        (Target::Urls(urls), _) => Some(urls[i]),
        (_, Only::Name(name)) => fixed(name),
        (_, Only::Names(names)) => fixed(names[i]),
        (_, Only::Texts(names)) => Some(names[i].as_str()),
        (_, Only::Any | Only::RunTime) => None,
    }
}

/// Whether the names are known here, every one.
const fn names_are_fixed(only: Only<'_>) -> bool {
    match only {
        Only::Name(name) => fixed(name).is_some(),
        Only::Names(names) => {
            let mut i = 0;
            while i < names.len() {
                if fixed(names[i]).is_none() {
                    return false;
                }
                i += 1;
            }
            true
        }
        Only::Texts(_) => true,
        Only::Any | Only::RunTime => false,
    }
}
