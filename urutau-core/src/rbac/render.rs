//! Rules as the API server has them: merged, sorted, stable.

use super::cover::fixed;
use super::derived;
use super::rule::{Only, Rule, Rules, Target};
use crate::name::{self, Names};
use k8s_openapi::api::rbac::v1::PolicyRule;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The verbs of one resource and name, or of one URL.
type Pieces<'a, Key> = BTreeMap<Key, BTreeSet<&'a str>>;

type Texts<'a> = Vec<&'a str>;

/// Splits rules into their pieces, drops what another piece gives already, and merges the rest into the fewest rules
/// that are easy to read: names with the same verbs, then resources with the same names and verbs. Everything is
/// sorted, so rules that grant the same give the same text, whatever order they were said in.
pub fn normal_form(rules: &[PolicyRule]) -> Vec<PolicyRule> {
    let (mut resources, mut urls) = (Pieces::new(), Pieces::new());
    for rule in rules {
        let verbs = || rule.verbs.iter().map(String::as_str);
        for url in rule.non_resource_urls.iter().flatten() {
            urls.entry(url.as_str()).or_insert_with(BTreeSet::new).extend(verbs());
        }
        let names: Vec<Option<&str>> = match &rule.resource_names {
            Some(names) if !names.is_empty() => names.iter().map(|name| Some(name.as_str())).collect(),
            _ => vec![None],
        };
        for group in rule.api_groups.iter().flatten() {
            for resource in rule.resources.iter().flatten() {
                for name in &names {
                    let key = (group.as_str(), resource.as_str(), *name);
                    resources.entry(key).or_insert_with(BTreeSet::new).extend(verbs());
                }
            }
        }
    }
    let mut rules = merge_resources(resources);
    rules.extend(merge_urls(urls));
    rules.sort_by(order);
    rules
}

/// `*` gives every verb.
fn only_star(verbs: &mut BTreeSet<&str>) {
    if verbs.contains("*") {
        verbs.retain(|verb| *verb == "*");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn merge_resources(mut pieces: Pieces<'_, (&str, &str, Option<&str>)>) -> Vec<PolicyRule> {
    pieces.values_mut().for_each(only_star);
    let for_every_name: Pieces<'_, (&str, &str)> = pieces
        .iter()
        .filter(|((_, _, name), _)| name.is_none())
        .map(|((group, resource, _), verbs)| ((*group, *resource), verbs.clone()))
        .collect();
    let mut names_of: BTreeMap<(&str, &str, Texts<'_>), Texts<'_>> = BTreeMap::new();
    for ((group, resource, name), mut verbs) in pieces {
        if name.is_some()
            && let Some(given) = for_every_name.get(&(group, resource))
        {
            verbs.retain(|verb| !given.contains(verb) && !given.contains("*"));
        }
        if !verbs.is_empty() {
            names_of.entry((group, resource, verbs.into_iter().collect())).or_default().extend(name);
        }
    }
    // An empty list of names is every name, which never meets one with names: the verbs differ.
    let mut resources_of: BTreeMap<(&str, Texts<'_>, Texts<'_>), Texts<'_>> = BTreeMap::new();
    for ((group, resource, verbs), names) in names_of {
        resources_of.entry((group, names, verbs)).or_default().push(resource);
    }
    let rules = resources_of.into_iter().map(|((group, names, verbs), resources)| PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(owned(&resources)),
        resource_names: (!names.is_empty()).then(|| owned(&names)),
        verbs: owned(&verbs),
        non_resource_urls: None,
    });
    rules.collect()
}

fn merge_urls(mut pieces: Pieces<'_, &str>) -> Vec<PolicyRule> {
    pieces.values_mut().for_each(only_star);
    let mut urls_of: BTreeMap<Texts<'_>, Texts<'_>> = BTreeMap::new();
    for (url, verbs) in pieces {
        urls_of.entry(verbs.into_iter().collect()).or_default().push(url);
    }
    let rules = urls_of.into_iter().map(|(verbs, urls)| PolicyRule {
        non_resource_urls: Some(owned(&urls)),
        verbs: owned(&verbs),
        ..PolicyRule::default()
    });
    rules.collect()
}

/// By group, resource and names; URLs last.
fn order(a: &PolicyRule, b: &PolicyRule) -> Ordering {
    (a.non_resource_urls.cmp(&b.non_resource_urls))
        .then_with(|| a.api_groups.cmp(&b.api_groups))
        .then_with(|| a.resources.cmp(&b.resources))
        .then_with(|| a.resource_names.cmp(&b.resource_names))
        .then_with(|| a.verbs.cmp(&b.verbs))
}

impl Rule<'_> {
    /// The rule as the API server has it, whatever names it is limited to.
    #[cfg(feature = "control-plane")]
    pub(crate) fn on_any_name(&self) -> PolicyRule {
        self.policy(None)
    }

    /// The rule as it has to be held to be granted: on its names where all of them are fixed, on every name otherwise.
    pub(super) fn granted_policy(&self) -> PolicyRule {
        let all_fixed = match self.only {
            Only::Name(name) => fixed(name).is_some(),
            Only::Names(names) => names.iter().all(|name| fixed(name).is_some()),
            Only::Texts(_) => true,
            Only::Any | Only::RunTime => false,
        };
        if all_fixed { self.fixed_policy() } else { self.policy(None) }
    }

    /// The rule as the API server has it, limited to the names that are known without a value: blanks of a template are
    /// left empty, and names that only a value knows limit nothing.
    pub fn fixed_policy(&self) -> PolicyRule {
        let fill = |template| name::render(template, &Names::default(), &|_| String::new());
        let names = match self.only {
            Only::Any | Only::RunTime => None,
            Only::Name(name) => Some(vec![fill(name)]),
            Only::Names(names) => Some(names.iter().map(|&name| fill(name)).collect()),
            Only::Texts(texts) => Some(texts.to_vec()),
        };
        self.policy(names)
    }

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
                resources: Some(vec![if sub.is_empty() { resource.to_owned() } else { format!("{resource}/{sub}") }]),
                resource_names: names,
                verbs,
                ..PolicyRule::default()
            },
        }
    }
}

impl Rules {
    /// Every rule of the tree that an operator can't do without: those of members whose API may be absent are left out.
    pub(super) fn each_needed(&'static self, visit: &mut dyn FnMut(Rule<'static>)) {
        match self {
            Self::Join(all) => all.iter().for_each(|rules| rules.each_needed(visit)),
            Self::Of(node) => derived::each(node, &mut |rule, optional| {
                if !optional {
                    visit(rule);
                }
            }),
            Self::Leaf(_) | Self::Unknown => self.each(visit),
        }
    }

    /// Every rule of the tree, with what managed sets take.
    pub fn each(&'static self, visit: &mut dyn FnMut(Rule<'static>)) {
        match self {
            Self::Leaf(leaf) => leaf.iter().for_each(|rule| visit(*rule)),
            Self::Join(all) => all.iter().for_each(|rules| rules.each(visit)),
            Self::Of(node) => derived::each(node, &mut |rule, _| visit(rule)),
            Self::Unknown => {}
        }
    }

    /// The rules in normal form, as an operator holds them that works in the whole cluster. A rule whose names only a
    /// value knows is left out: nobody could say which names to write.
    pub fn policy_rules(&'static self) -> Vec<PolicyRule> {
        self.policy_rules_where(|_| true)
    }

    /// The rules in normal form that pass.
    pub fn policy_rules_where(&'static self, mut pass: impl FnMut(&Rule<'static>) -> bool) -> Vec<PolicyRule> {
        let mut rules = Vec::new();
        self.each(&mut |rule| {
            if pass(&rule) && !matches!(rule.only, Only::RunTime) {
                rules.push(rule.fixed_policy());
            }
        });
        normal_form(&rules)
    }
}
