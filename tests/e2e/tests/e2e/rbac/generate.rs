//! Rules by chance, weighted towards what is easily got wrong.

use e2e_tests::Dice;
use k8s_openapi::api::rbac::v1::PolicyRule;

const RBAC: &str = "rbac.authorization.k8s.io";
const GROUPS: [&str; 4] = ["", "apps", "x.example", "*"];
const RESOURCES: [&str; 9] =
    ["pods", "pods/log", "pods/scale", "deployments", "deployments/scale", "*", "*/scale", "*/log", "pods/*"];
const VERBS: [&str; 8] = ["get", "list", "watch", "create", "update", "patch", "frobnicate", "*"];
/// The empty one is that of a request without a name.
const NAMES: [&str; 4] = ["a", "b", "g", ""];
const URLS: [&str; 9] = ["/metrics", "/metrics/", "/metrics/*", "/metrics/a", "/me*", "/healthz", "/*", "*", "/x**"];

/// What someone holds, and where.
pub(super) struct Held {
    /// In the whole cluster.
    pub(super) everywhere: Vec<PolicyRule>,
    /// In the namespace of the case.
    pub(super) here: Vec<PolicyRule>,
    /// In another namespace.
    pub(super) elsewhere: Vec<PolicyRule>,
}

/// A case: what is held, and what is to be granted.
pub(super) struct Case {
    pub(super) held: Held,
    pub(super) granted: Vec<PolicyRule>,
}

pub(super) fn case(dice: &mut Dice) -> Case {
    let mut some = |most: usize, percent: usize| -> Vec<PolicyRule> {
        if dice.percent(percent) { (0..=dice.below(most)).map(|_| rule(dice)).collect() } else { Vec::new() }
    };
    let mut held = Held { everywhere: some(3, 70), here: some(3, 60), elsewhere: some(2, 30) };
    if dice.percent(12) {
        let rules = if dice.percent(50) { &mut held.everywhere } else { &mut held.here };
        rules.push(way_out(dice));
    }
    let all: Vec<PolicyRule> = held.everywhere.iter().chain(&held.here).chain(&held.elsewhere).cloned().collect();
    let granted = (0..=dice.below(3))
        .map(|_| if all.is_empty() || dice.percent(25) { rule(dice) } else { like(dice, &all) })
        .collect();
    Case { held, granted }
}

/// `escalate` and `bind`, on one role or on all.
fn way_out(dice: &mut Dice) -> PolicyRule {
    PolicyRule {
        api_groups: Some(texts(&[*dice.one(&[RBAC, RBAC, RBAC, "*", ""])])),
        resources: Some(texts(&dice.some(&["roles", "clusterroles", "roles/escalate", "*"], 2))),
        verbs: texts(&dice.some(&["escalate", "bind", "get"], 2)),
        resource_names: if dice.percent(40) { Some(texts(&dice.some(&NAMES, 2))) } else { None },
        non_resource_urls: None,
    }
}

fn rule(dice: &mut Dice) -> PolicyRule {
    let verbs = texts(&dice.some(&VERBS, 3));
    if dice.percent(20) {
        return PolicyRule { non_resource_urls: Some(texts(&dice.some(&URLS, 2))), verbs, ..PolicyRule::default() };
    }
    PolicyRule {
        api_groups: Some(texts(&dice.some(&GROUPS, 2))),
        resources: Some(texts(&dice.some(&RESOURCES, 3))),
        resource_names: if dice.percent(35) { Some(texts(&dice.some(&NAMES, 2))) } else { None },
        verbs,
        non_resource_urls: None,
    }
}

/// A rule that one of these covers, but for a change or two.
fn like(dice: &mut Dice, rules: &[PolicyRule]) -> PolicyRule {
    let mut rule = dice.one(rules).clone();
    let narrow = |dice: &mut Dice, list: &mut Vec<String>, star: &str, within: &[&str]| {
        if list.iter().any(|text| text == star) && dice.percent(60) {
            *list = vec![(*dice.one(within)).to_owned()];
        } else if list.len() > 1 && dice.percent(50) {
            list.remove(dice.below(list.len()));
        }
    };
    narrow(dice, &mut rule.verbs, "*", &VERBS);
    if let Some(groups) = &mut rule.api_groups {
        narrow(dice, groups, "*", &GROUPS);
    }
    if let Some(resources) = &mut rule.resources {
        narrow(dice, resources, "*", &RESOURCES);
        narrow(dice, resources, "*/scale", &["pods/scale", "deployments/scale", "*/scale"]);
    }
    if let Some(urls) = &mut rule.non_resource_urls {
        narrow(dice, urls, "/metrics/*", &URLS);
        narrow(dice, urls, "*", &URLS);
    } else if dice.percent(25) {
        rule.resource_names = if dice.percent(50) { Some(texts(&dice.some(&NAMES, 2))) } else { None };
    }
    if dice.percent(15) {
        rule.verbs.push((*dice.one(&VERBS)).to_owned());
        rule.verbs.dedup();
    }
    rule
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}
