//! Who changed what we declare: kept from when it is seen until it is put right, and then told.

use super::seen::{Claims, Facts, Flat};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What the managed fields of an object say when it is not as we left it.
#[derive(Clone, Debug)]
pub(super) struct Cause {
    /// What is still ours.
    ours: Flat,
    /// The other managers and what is theirs, the latest first.
    others: Vec<(String, Flat)>,
}

/// How many paths are named for each manager.
const NAMED: usize = 4;
/// Who changed what nobody claims now: the managed fields do not say who removed something.
const NOBODY: &str = "somebody";

impl Cause {
    /// Keeps what an object says, seen by `manager`.
    pub(super) fn of(facts: &Facts, manager: &str) -> Self {
        let is_ours = |name: &str| name.strip_prefix(manager).is_some_and(|r| r.is_empty() || r.starts_with('/'));
        let mut others: Vec<_> = facts.writers.iter().filter(|writer| !is_ours(&writer.manager)).collect();
        others.sort_by_key(|writer| std::cmp::Reverse(writer.time));
        Self {
            ours: ours(facts, manager),
            others: others.into_iter().map(|writer| (writer.manager.clone(), writer.claims.clone())).collect(),
        }
    }

    /// What was changed in words, once `sent` was applied and answered by `after`; nothing if nothing of it was.
    pub(super) fn told(&self, sent: &Value, after: &Facts, manager: &str) -> Option<String> {
        let sent = declared(sent);
        let others: Vec<_> = self.others.iter().map(|(manager, claims)| (manager.as_str(), claims.tree())).collect();
        let theirs: Vec<_> = others.iter().map(|(manager, claims)| (*manager, claims)).collect();
        let mut changed = Vec::new();
        lost(&sent, Some(&self.ours.tree()), &theirs, &mut Vec::new(), &mut changed);
        // What is not ours now was not ours before: the API server does not know it.
        let mut never = Vec::new();
        lost(&sent, Some(&ours(after, manager).tree()), &[], &mut Vec::new(), &mut never);
        let never: BTreeSet<_> = never.into_iter().map(|(_, path)| path).collect();
        changed.retain(|(_, path)| !never.contains(path));
        sentence(&changed)
    }
}

fn ours(facts: &Facts, manager: &str) -> Flat {
    let mut entries = facts.writers.iter().filter(|writer| writer.role(manager) == Some(""));
    entries.next().map(|writer| writer.claims.clone()).unwrap_or_default()
}

/// What can be claimed of what is sent.
fn declared(sent: &Value) -> Value {
    let mut fields = sent.as_object().cloned().unwrap_or_default();
    fields.retain(|field, _| !matches!(field.as_str(), "apiVersion" | "kind"));
    if let Some(Value::Object(metadata)) = fields.get_mut("metadata") {
        metadata.retain(|field, _| !matches!(field.as_str(), "name" | "namespace" | "uid" | "resourceVersion"));
    }
    Value::Object(fields)
}

/// Another manager, and what it claims at the place that is looked at.
type Theirs<'a> = (&'a str, &'a Claims);

/// Collects what is declared and not ours: the latest of the others that claims it, and its path.
fn lost<'a>(
    declared: &Value,
    ours: Option<&Claims>,
    theirs: &[Theirs<'a>],
    path: &mut Vec<String>,
    found: &mut Vec<(&'a str, String)>,
) {
    match ours {
        // A whole section is told by what is in it.
        None if path.len() >= section(path) || !declared.is_object() => {
            let manager = theirs.first().map_or(NOBODY, |(manager, _)| manager);
            return found.push((manager, path.concat().trim_start_matches('.').to_owned()));
        }
        Some(ours) if ours.is_leaf() && !path.is_empty() => return,
        _ => {}
    }
    let mut below = |step: String, value: &Value, key: &dyn Fn(&Claims) -> Option<String>| {
        let theirs: Vec<_> =
            theirs.iter().filter_map(|(manager, claims)| Some((*manager, claims.0.get(&key(claims)?)?))).collect();
        let ours = ours.and_then(|ours| ours.0.get(&key(ours)?));
        path.push(step);
        lost(value, ours, &theirs, path, found);
        path.pop();
    };
    match declared {
        Value::Object(fields) => {
            for (field, value) in fields {
                below(step(field), value, &|_| Some(format!("f:{field}")));
            }
        }
        Value::Array(items) if ours.is_some_and(is_by_key) => {
            for (i, item) in items.iter().enumerate() {
                below(label(i, item), item, &|claims| claims.0.keys().find(|key| is_of(key, item)).cloned());
            }
        }
        _ => {}
    }
}

/// How deep that goes which is told by what is in it: `spec` and `data`, and in `metadata` the labels.
fn section(path: &[String]) -> usize {
    if path.first().is_some_and(|first| first == ".metadata") { 3 } else { 2 }
}

/// A field in a path.
fn step(field: &str) -> String {
    let plain = field.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if plain { format!(".{field}") } else { format!("[{field:?}]") }
}

/// An entry of a list in a path: by its name where it has one.
fn label(i: usize, item: &Value) -> String {
    match item["name"].as_str().or(item.as_str()) {
        Some(name) => format!("[{name:?}]"),
        None => format!("[{i}]"),
    }
}

/// Whether the entries of a list are claimed one by one.
fn is_by_key(claims: &Claims) -> bool {
    claims.0.keys().any(|key| key.starts_with("k:") || key.starts_with("v:"))
}

/// Whether this is the claim on an entry of a list.
fn is_of(key: &str, item: &Value) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let by_key = |fields: &Map<String, Value>| fields.iter().all(|(field, value)| item.get(field) == Some(value));
    match key.split_at_checked(2) {
        Some(("k:", fields)) => read(fields).is_some_and(|fields| fields.as_object().is_some_and(by_key)),
        Some(("v:", value)) => read(value).as_ref() == Some(item),
        _ => false,
    }
}

/// `kubectl changed spec.replicas and data.a; somebody changed data.b`.
fn sentence(changed: &[(&str, String)]) -> Option<String> {
    let mut managers: Vec<&str> = Vec::new();
    for (manager, _) in changed {
        if !managers.contains(manager) {
            managers.push(manager);
        }
    }
    let parts = managers.into_iter().map(|manager| {
        let paths: Vec<_> = changed.iter().filter(|(by, _)| *by == manager).map(|(_, path)| path.as_str()).collect();
        let verb = if manager == NOBODY { "removed" } else { "changed" };
        format!("{manager} {verb} {}", list(&paths))
    });
    let parts: Vec<_> = parts.collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn list(paths: &[&str]) -> String {
    let named = paths.get(..NAMED).unwrap_or(paths);
    let more = match paths.len() - named.len() {
        0 => String::new(),
        1 => " and another field".to_owned(),
        more => format!(" and {more} other fields"),
    };
    match named.split_last() {
        Some((last, [])) => format!("{last}{more}"),
        Some((last, rest)) if more.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => format!("{}{more}", named.join(", ")),
    }
}

#[cfg(test)]
mod tests;
