//! Rules that a Role can't give: what they speak of lives in no namespace.

use super::derived;
use super::rule::{Place, Rule, Rules, Target};
use crate::handed::Handed;
use crate::message::Message;
use crate::name::same_text;
use crate::node::Node;

/// A rule that a Role grants in vain, or that the API server refuses in it.
pub(crate) struct OutOfPlace {
    by: &'static str,
    rule: Rule<'static>,
}

impl OutOfPlace {
    /// The first one below `node`.
    pub(crate) const fn find(node: &'static Node) -> Option<Self> {
        let mut i = 0;
        match node {
            Node::Object(object) => {
                while object.kind.namespaced && i < object.grants.len() {
                    if let Some(rule) = of_rules(object.grants[i].rules) {
                        return Some(Self { by: object.grants[i].name, rule });
                    }
                    i += 1;
                }
                None
            }
            Node::Set(set) => {
                while i < set.slots.len() {
                    if let Some(found) = Self::find(set.slots[i].node) {
                        return Some(found);
                    }
                    i += 1;
                }
                None
            }
            Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => Self::find(inner),
            Node::Unknown => None,
        }
    }

    /// What is wrong, after the field that holds it.
    pub(crate) const fn tell(&self, message: &mut Message) {
        message.push("` holds a Role by which `");
        message.push(self.by);
        message.push("` grants ");
        message.verbs(self.rule.verbs, false);
        message.push(" on ");
        match self.rule.target {
            Target::Urls(urls) => {
                if let [url, ..] = urls {
                    message.push(url);
                }
                message.push(", a path of the API server");
            }
            Target::Resource { resource, sub, .. } => {
                message.push(resource);
                message.subresource(sub, false);
            }
        }
        message.push(
            ": that is in no namespace, and a Role gives nothing outside its namespace\nhelp: take the rule out of `",
        );
        message.push(self.by);
        message.push("`, or grant it by a ClusterRole, which takes an owner without a namespace: ");
        message.push("#[owned(ClusterRole, grants(");
        message.push(self.by);
        message.push("))]");
    }
}

const fn of_rules(rules: &Rules) -> Option<Rule<'static>> {
    let mut i = 0;
    match rules {
        Rules::Leaf(leaf) => {
            while i < leaf.len() {
                if is_out_of_place(&leaf[i]) {
                    return Some(leaf[i]);
                }
                i += 1;
            }
            None
        }
        Rules::Join(all) => {
            while i < all.len() {
                if let Some(rule) = of_rules(all[i]) {
                    return Some(rule);
                }
                i += 1;
            }
            None
        }
        Rules::Of(node) => of_managing(node, &Handed::root(node)),
        Rules::Unknown => None,
    }
}

/// A Role can hand out what it takes to manage a set.
const fn of_managing(node: &Node, handed: &Handed<'_>) -> Option<Rule<'static>> {
    let mut i = 0;
    match node {
        Node::Object(object) => {
            let rule = derived::owned(object, &handed.object(object), 0);
            if is_out_of_place(&rule) { Some(rule) } else { None }
        }
        Node::Set(set) => {
            while i < derived::count(set) {
                let rule = derived::nth(set, i);
                if is_out_of_place(&rule) {
                    return Some(rule);
                }
                i += 1;
            }
            let base = handed.base(set);
            i = 0;
            while i < set.slots.len() {
                if let Some(rule) = of_managing(set.slots[i].node, &base.slot(&set.slots[i])) {
                    return Some(rule);
                }
                i += 1;
            }
            None
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => of_managing(inner, handed),
        Node::Unknown => None,
    }
}

/// Of what has no type here nobody knows where it lives. A request for a Namespace counts as one within it.
const fn is_out_of_place(rule: &Rule<'_>) -> bool {
    match rule.target {
        Target::Urls(_) => true,
        Target::Resource { group, resource, kind, .. } => {
            let is_namespace = group.is_empty() && same_text(resource, "namespaces");
            matches!(rule.place, Place::Cluster) && !kind.is_empty() && !is_namespace
        }
    }
}
