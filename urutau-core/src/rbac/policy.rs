//! The algebra on rules as the API server has them: what one set of rules leaves uncovered of another.

use super::cover::verbs_of_rule;
use super::render::normal_form;
use super::rule::{Only, Rule};
use super::verbs::Verbs;
use k8s_openapi::api::rbac::v1::PolicyRule;

/// Whether `held` covers `granted`, as the API server decides it when a role is written: every single piece of group,
/// resource, verb and name by one held rule.
pub fn covers(held: &[PolicyRule], granted: &[PolicyRule]) -> bool {
    missing(held, granted).is_empty()
}

/// The pieces of `granted` that `held` does not cover, merged into the fewest readable rules; nothing, if it covers
/// them all.
pub fn missing(held: &[PolicyRule], granted: &[PolicyRule]) -> Vec<PolicyRule> {
    let mut uncovered = Vec::new();
    for rule in granted {
        // Verbs of others have bits of their own; there is no end to them, so they are taken a handful at a time.
        let (known, custom): (Vec<&str>, Vec<&str>) =
            rule.verbs.iter().map(String::as_str).partition(|verb| Verbs::knows(verb));
        let mut handfuls = custom.chunks(Verbs::CUSTOM);
        let first = handfuls.next().unwrap_or_default();
        part(held, rule, &known, first, &mut uncovered);
        for handful in handfuls {
            part(held, rule, &[], handful, &mut uncovered);
        }
    }
    normal_form(&uncovered)
}

/// One handful of verbs of one rule.
fn part(held: &[PolicyRule], rule: &PolicyRule, known: &[&str], custom: &[&str], uncovered: &mut Vec<PolicyRule>) {
    let texts: Vec<String> = known.iter().chain(custom).map(|&verb| verb.to_owned()).collect();
    let wanted = Verbs::read(&texts, custom);
    let left = |target: &Rule<'_>, name: Option<&str>| {
        let held = held.iter().fold(Verbs::NONE, |verbs, held| verbs.and(verbs_of(held, custom, target, name)));
        wanted.without(held)
    };
    for url in rule.non_resource_urls.iter().flatten() {
        let verbs = left(&Rule::urls(&[url], wanted, false), None);
        if !verbs.is_empty() {
            let non_resource_urls = Some(vec![url.clone()]);
            uncovered.push(PolicyRule { non_resource_urls, verbs: verbs.texts(custom), ..PolicyRule::default() });
        }
    }
    let names: Vec<Option<&str>> = match rule.resource_names.as_deref() {
        None | Some([]) => vec![None],
        Some(names) => names.iter().map(|name| Some(name.as_str())).collect(),
    };
    for group in rule.api_groups.iter().flatten() {
        for path in rule.resources.iter().flatten() {
            for name in &names {
                let verbs = left(&resource(group, path, wanted, Only::Any), *name);
                if !verbs.is_empty() {
                    uncovered.push(PolicyRule {
                        api_groups: Some(vec![group.clone()]),
                        resources: Some(vec![path.clone()]),
                        resource_names: name.map(|name| vec![name.to_owned()]),
                        verbs: verbs.texts(custom),
                        non_resource_urls: None,
                    });
                }
            }
        }
    }
}

/// The verbs that one held rule gives on what `target` speaks of.
fn verbs_of(held: &PolicyRule, custom: &[&str], target: &Rule<'_>, name: Option<&str>) -> Verbs {
    let verbs = Verbs::read(&held.verbs, custom);
    let only = match held.resource_names.as_deref() {
        None | Some([]) => Only::Any,
        Some(names) => Only::Texts(names),
    };
    let urls: Vec<&str> = held.non_resource_urls.iter().flatten().map(String::as_str).collect();
    let mut given =
        if urls.is_empty() { Verbs::NONE } else { verbs_of_rule(&Rule::urls(&urls, verbs, false), target, 0, name) };
    for group in held.api_groups.iter().flatten() {
        for path in held.resources.iter().flatten() {
            given = given.and(verbs_of_rule(&resource(group, path, verbs, only), target, 0, name));
        }
    }
    given
}

/// A rule on `resource` or `resource/sub`.
fn resource<'a>(group: &'a str, path: &'a str, verbs: Verbs, only: Only<'a>) -> Rule<'a> {
    let (resource, sub) = path.split_once('/').unwrap_or((path, ""));
    Rule::named(group, resource, sub, verbs, only, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json};

    fn rules(value: Value) -> Vec<PolicyRule> {
        from_value(value).unwrap()
    }

    fn pods(verbs: &[&str], names: &[&str]) -> Value {
        json!({ "apiGroups": [""], "resources": ["pods"], "verbs": verbs, "resourceNames": names })
    }

    #[test]
    fn what_is_left_is_merged() {
        let held = rules(json!([pods(&["get"], &[]), pods(&["patch"], &["a"])]));
        let granted = rules(json!([
            { "apiGroups": ["", "apps"], "resources": ["pods", "pods/log"], "verbs": ["get", "list"] },
            pods(&["patch"], &["a", "b", "c"]),
        ]));
        let left = missing(&held, &granted);
        let want = rules(json!([
            { "apiGroups": [""], "resources": ["pods"], "verbs": ["list"] },
            { "apiGroups": [""], "resources": ["pods"], "verbs": ["patch"], "resourceNames": ["b", "c"] },
            { "apiGroups": [""], "resources": ["pods/log"], "verbs": ["get", "list"] },
            { "apiGroups": ["apps"], "resources": ["pods", "pods/log"], "verbs": ["get", "list"] },
        ]));
        assert_eq!(left, want);
        assert!(covers(&[held, left].concat(), &granted));
    }

    #[test]
    fn verbs_of_others_are_only_text() {
        let many: Vec<String> = (0..200).map(|i| format!("verb-{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (all, most) = (rules(json!([pods(&many, &[])])), rules(json!([pods(&many[1..], &[])])));
        assert!(covers(&all, &most) && covers(&rules(json!([pods(&["*"], &[])])), &all));
        assert_eq!(
            missing(&most, &all),
            rules(json!([{ "apiGroups": [""], "resources": ["pods"], "verbs": ["verb-0"] }]))
        );
    }
}
