//! Rule sets as values: what a Role grants, and how Roles and bindings are written.

use super::render::normal_form;
use super::rule::{Only, Rule, Rules};
use crate::body::Body;
use crate::limits;
use crate::name::{self, Name, Names};
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::json;
use std::collections::BTreeMap;

/// A rule set, derived with `#[derive(RbacRules)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule set",
    label = "not a rule set",
    note = "derive it: `#[derive(RbacRules)] #[rule(Kind, verbs(get))]`"
)]
pub trait RuleSet {
    /// The struct that declares it.
    const NAME: &'static str;
    /// Everything it can grant.
    const RULES: &'static Rules;

    /// Whether, and on which names, the `rule`-th of its own rules is granted by this value.
    fn granted(&self, rule: usize) -> Granted;

    /// The text of a field, for the names of a rule.
    fn text(&self, field: &str) -> String;

    /// The rules that this value grants, in normal form.
    fn policy_rules(&self, names: &Names<'_>) -> Vec<PolicyRule> {
        rules_where(self, names, |_| true)
    }
}

/// The rules on which a call may rest: those that are not held only to be granted on.
pub(crate) fn rules_that_allow<R: RuleSet>(set: &R, names: &Names<'_>) -> Vec<PolicyRule> {
    rules_where(set, names, |rule| !rule.to_grant)
}

/// The rules that pass, as this value grants them, in normal form.
fn rules_where<R: RuleSet + ?Sized>(
    set: &R,
    names: &Names<'_>,
    pass: impl Fn(&Rule<'static>) -> bool,
) -> Vec<PolicyRule> {
    let Rules::Leaf(rules) = R::RULES else { return R::RULES.policy_rules_where(pass) };
    let mut policy = Vec::new();
    for (i, rule) in rules.iter().enumerate().filter(|(_, rule)| pass(rule)) {
        let fixed = match rule.only {
            Only::Names(templates) => {
                Some(templates.iter().map(|&name| name::render(name, names, &|field| set.text(field))).collect())
            }
            Only::Name(template) => Some(vec![name::render(template, names, &|field| set.text(field))]),
            Only::Texts(texts) => Some(texts.to_vec()),
            Only::Any | Only::RunTime => None,
        };
        let names = match set.granted(i) {
            Granted::AsDeclared => fixed,
            Granted::Names(names) => Some(names),
            Granted::Nothing => continue,
        };
        match names {
            None => policy.push(rule.policy(None)),
            Some(mut names) => {
                // Without names nothing: an empty list of names is every name, and an empty name is every request that
                // has none.
                names.retain(|name| !name.is_empty());
                if !names.is_empty() {
                    policy.push(rule.policy(Some(names)));
                }
            }
        }
    }
    normal_form(&policy)
}

/// Whether, and on which names, a rule is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Granted {
    /// As its attribute says.
    AsDeclared,
    /// On these names only.
    Names(Vec<String>),
    /// Not at all.
    Nothing,
}

/// A field that says whether, or on which names, its rule is granted: a `bool`, or names.
#[diagnostic::on_unimplemented(
    message = "a rule can't be granted by a `{Self}`",
    label = "neither a `bool` nor names",
    note = "a `bool` grants the rule while it is true; a `Vec<String>` grants it on the names it holds"
)]
pub trait RuleField {
    /// The names that the rule is limited to, as the proof has to see them.
    const ONLY: Option<Only<'static>>;
    /// What this value grants.
    fn granted(&self) -> Granted;
}

impl RuleField for bool {
    const ONLY: Option<Only<'static>> = None;
    fn granted(&self) -> Granted {
        if *self { Granted::AsDeclared } else { Granted::Nothing }
    }
}

impl RuleField for Vec<String> {
    const ONLY: Option<Only<'static>> = Some(Only::RunTime);
    fn granted(&self) -> Granted {
        Granted::Names(self.clone())
    }
}

/// Writes what a rule set grants as the `rules` of a Role or `ClusterRole`.
pub fn write_role(rules: &[PolicyRule], body: &mut Body) {
    body.root("rules", json!(rules));
}

/// Writes that a `ClusterRole` has the rules of all that carry these labels. Its `rules` are not ours then: they are
/// absent in what is sent.
pub fn write_aggregation<const N: usize>(labels: [(&str, String); N], body: &mut Body) {
    for (key, value) in &labels {
        if let Err(why) = limits::label_value(value) {
            body.refuse(&format!("aggregationRule.clusterRoleSelectors[0].matchLabels[{key:?}]"), why);
        }
    }
    let labels: BTreeMap<_, _> = labels.into_iter().collect();
    body.root("aggregationRule", json!({ "clusterRoleSelectors": [{ "matchLabels": labels }] }));
}

/// Writes the reference and the one subject of a binding: `role` and the `ServiceAccount` `subject`, both in
/// the namespace of the owner.
pub fn write_binding(role_kind: &str, role: Name, subject: Name, names: &Names<'_>, body: &mut Body) {
    let fill = |template| name::render(template, names, &|_| String::new());
    body.root("roleRef", json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": role_kind, "name": fill(role) }));
    body.root("subjects", json!([{ "kind": "ServiceAccount", "name": fill(subject), "namespace": names.namespace }]));
}
