//! Rules as the API server has them: merged, sorted, stable.

use super::derived;
use super::rule::{Only, Rule, Rules, Target};
use crate::name::{self, Names};
use k8s_openapi::api::rbac::v1::PolicyRule;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What a rule speaks of, as the key of a sorted map.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    group: String,
    names: Vec<String>,
    urls: Vec<String>,
}

/// Merges rules on one resource, then resources with the same verbs and names, and sorts everything. Rules
/// that grant the same give the same text, whatever order they were said in.
pub fn normal_form(rules: Vec<PolicyRule>) -> Vec<PolicyRule> {
    let mut verbs_of: BTreeMap<(Key, String), BTreeSet<String>> = BTreeMap::new();
    for rule in rules {
        let mut names = rule.resource_names.unwrap_or_default();
        names.sort();
        names.dedup();
        for url in rule.non_resource_urls.unwrap_or_default() {
            let key = Key { group: String::new(), names: Vec::new(), urls: vec![url] };
            verbs_of.entry((key, String::new())).or_default().extend(rule.verbs.iter().cloned());
        }
        for group in rule.api_groups.unwrap_or_default() {
            for resource in rule.resources.iter().flatten() {
                let key = Key { group: group.clone(), names: names.clone(), urls: Vec::new() };
                verbs_of.entry((key, resource.clone())).or_default().extend(rule.verbs.iter().cloned());
            }
        }
    }
    let mut resources_of: BTreeMap<(Key, Vec<String>), Vec<String>> = BTreeMap::new();
    for ((key, resource), verbs) in verbs_of {
        resources_of.entry((key, verbs.into_iter().collect())).or_default().push(resource);
    }
    let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
    let mut rules: Vec<_> = resources_of
        .into_iter()
        .map(|((key, verbs), resources)| {
            if key.urls.is_empty() {
                PolicyRule {
                    api_groups: Some(vec![key.group]),
                    resources: Some(resources),
                    resource_names: some(key.names),
                    verbs,
                    ..PolicyRule::default()
                }
            } else {
                PolicyRule { non_resource_urls: Some(key.urls), verbs, ..PolicyRule::default() }
            }
        })
        .collect();
    rules.sort_by(|a, b| order(a, b));
    rules
}

/// By group, resource and names; URLs last.
fn order(a: &PolicyRule, b: &PolicyRule) -> Ordering {
    (a.non_resource_urls.cmp(&b.non_resource_urls))
        .then_with(|| a.api_groups.cmp(&b.api_groups))
        .then_with(|| a.resources.cmp(&b.resources))
        .then_with(|| a.resource_names.cmp(&b.resource_names))
}

impl Rule {
    /// The rule as the API server has it; `names` are those it is limited to, if it is.
    pub(super) fn policy(&self, names: Option<Vec<String>>) -> PolicyRule {
        let verbs = self.verbs.names().into_iter().map(str::to_owned).collect();
        match self.target {
            Target::Urls(urls) => PolicyRule {
                non_resource_urls: Some(urls.iter().map(|&url| url.to_owned()).collect()),
                verbs,
                ..PolicyRule::default()
            },
            Target::Resource { group, resource, sub, .. } => PolicyRule {
                api_groups: Some(vec![group.to_owned()]),
                resources: Some(vec![
                    if sub.is_empty() { resource.to_owned() } else { format!("{resource}/{sub}") },
                ]),
                resource_names: names,
                verbs,
                ..PolicyRule::default()
            },
        }
    }
}

impl Rules {
    /// Every rule of the tree, with what managed sets take.
    pub fn each(&'static self, visit: &mut dyn FnMut(Rule)) {
        match self {
            Self::Leaf(leaf) => leaf.iter().for_each(|rule| visit(*rule)),
            Self::Join(all) => all.iter().for_each(|rules| rules.each(visit)),
            Self::Of(node) => derived::each(node, visit),
            Self::Unknown => {}
        }
    }

    /// The rules in normal form, as an operator holds them. A rule whose names only a value knows is left
    /// out: nobody could say which names to write.
    pub fn policy_rules(&'static self) -> Vec<PolicyRule> {
        let mut rules = Vec::new();
        self.each(&mut |rule| match rule.only {
            Only::Any => rules.push(rule.policy(None)),
            Only::Names(names) => {
                let fill = |template| name::render(template, &Names::default(), &|_| String::new());
                rules.push(rule.policy(Some(names.iter().map(|&name| fill(name)).collect())));
            }
            Only::RunTime => {}
        });
        normal_form(rules)
    }
}
