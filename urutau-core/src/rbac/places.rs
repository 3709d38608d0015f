//! Where rules have to be held, and where they come from.

use super::policy::{covers, missing};
use super::render::normal_form;
use super::review::pieces;
use super::rule::{Place, Rule, Rules, Target};
use k8s_openapi::api::rbac::v1::PolicyRule;

impl Rules {
    /// The rules in normal form that have to be held in this place, for an operator that works in some namespaces only.
    ///
    /// What is held to be granted is held where the role is that grants it, which is where the API server asks for it.
    /// What is held in the whole cluster need not be held in its namespaces again.
    pub fn policy_rules_of(&'static self, place: Place) -> Vec<PolicyRule> {
        let (mut by_roles, mut cluster) = (Vec::new(), Vec::new());
        self.each_grant(&mut |role, rule| {
            if role == Place::Namespaces {
                by_roles.extend(pieces(&rule.granted_policy()));
            } else if self.cover(&rule) {
                // One that is not covered is written by `escalate`.
                cluster.push(rule.granted_policy());
            }
        });
        // Nobody knows where a resource without a type lives; what a Role hands out of it is in a namespace.
        let held_at = |rule: &Rule<'static>| {
            let typed = !matches!(rule.target, Target::Resource { kind: "", .. });
            let given = || by_roles.iter().any(|piece| covers(&[rule.fixed_policy()], std::slice::from_ref(piece)));
            if rule.to_grant && !typed && given() { Place::Namespaces } else { rule.place }
        };
        cluster.extend(self.policy_rules_where(|rule| held_at(rule) == Place::Cluster));
        let cluster = normal_form(&cluster);
        match place {
            Place::Cluster => cluster,
            Place::Namespaces => missing(&cluster, &self.policy_rules_where(|rule| held_at(rule) == place)),
        }
    }

    /// Every rule that a role of a managed set grants, and where that role is.
    pub(crate) fn each_grant(&'static self, visit: &mut dyn FnMut(Place, Rule<'static>)) {
        match self {
            Self::Leaf(_) | Self::Unknown => {}
            Self::Join(all) => all.iter().for_each(|rules| rules.each_grant(visit)),
            Self::Of(node) => node.every_object(&mut |object, _| {
                let place = Place::of(&object.kind);
                object.grants.iter().for_each(|grant| grant.rules.each(&mut |rule| visit(place, rule)));
            }),
        }
    }

    /// Where the rules come from: each managed set by the name of its struct with what managing it takes, and without a
    /// name what is said besides. Each in normal form.
    pub fn origins(&'static self) -> Vec<(Option<&'static str>, Vec<PolicyRule>)> {
        match self {
            Self::Leaf([]) | Self::Unknown => Vec::new(),
            Self::Leaf(_) => vec![(None, self.policy_rules())],
            Self::Join(all) => all.iter().flat_map(|rules| rules.origins()).collect(),
            Self::Of(node) => vec![(Some(node.declared_by()), self.policy_rules())],
        }
    }
}
