//! The text of a grant that is not held.

use super::rule::{Only, Rule, Target};
use super::verbs::Verbs;
use crate::message::Message;

impl Message {
    const fn verbs(&mut self, verbs: Verbs) {
        let (mut i, mut first) = (0, true);
        while i < Verbs::KNOWN {
            if let Some(name) = verbs.nth(i) {
                if !first {
                    self.push(", ");
                }
                self.push(name);
                first = false;
            }
            i += 1;
        }
    }

    /// The verbs as an attribute has them: a star is a string.
    const fn attribute_verbs(&mut self, verbs: Verbs) {
        if verbs.without(Verbs::of(&["*"])).is_empty()
            && !verbs.is_empty()
            && Verbs::of(&["*"]).without(verbs).is_empty()
        {
            self.push("\"*\"");
        } else {
            self.verbs(verbs);
        }
    }

    /// One grant that is not held, and the attribute that mends it.
    pub(super) const fn grant(&mut self, by: &str, rule: &Rule<'_>, verbs: Verbs) {
        self.push("\n  `");
        self.push(by);
        self.push("` grants ");
        self.verbs(verbs);
        self.push(" on ");
        self.target(rule.target);
        if !matches!(rule.only, Only::Any) {
            self.push(" by names that are known only at run time");
        }
        self.push("\n    add  #[rule(");
        match rule.target {
            Target::Urls(urls) => {
                self.push("urls(");
                let mut i = 0;
                while i < urls.len() {
                    self.push(if i > 0 { ", \"" } else { "\"" });
                    self.push(urls[i]);
                    self.push("\"");
                    i += 1;
                }
                self.push(")");
            }
            Target::Resource { group, resource, sub, kind } => {
                if kind.is_empty() {
                    self.push("\"");
                    self.push(group);
                    self.push("\"/\"");
                    self.push(resource);
                    self.push("\"");
                } else {
                    self.push(kind);
                }
                if !sub.is_empty() {
                    self.push("/");
                    self.push(if kind.is_empty() { "\"" } else { "" });
                    self.push(sub);
                    self.push(if kind.is_empty() { "\"" } else { "" });
                }
            }
        }
        self.push(", verbs(");
        self.attribute_verbs(verbs);
        self.push("), to_grant)]");
    }

    const fn target(&mut self, target: Target<'_>) {
        match target {
            Target::Urls(urls) => {
                let mut i = 0;
                while i < urls.len() {
                    self.push(if i > 0 { ", " } else { "" });
                    self.push(urls[i]);
                    i += 1;
                }
            }
            Target::Resource { group, resource, sub, .. } => {
                self.push(resource);
                if !sub.is_empty() {
                    self.push("/");
                    self.push(sub);
                }
                if !group.is_empty() {
                    self.push(" in ");
                    self.push(group);
                }
            }
        }
    }
}
