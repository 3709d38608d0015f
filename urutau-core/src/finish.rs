//! What every object gets beyond what its struct names, and the checks that only values can decide.

use crate::bound;
use crate::kind::KindId;
use crate::limits;
use crate::name::Names;
use crate::path::{KeyField, ListMap, merge_keys_of};
use crate::plan::{Content, Entry};
use crate::problem::Problem;
use base64::Engine as _;
use k8s_openapi::api::core::v1::{ServicePort, ServiceSpec};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Adds the type, the name and the labels, and the defaults of list keys.
///
/// # Errors
/// Labels that are written twice or can't be, and lists with two entries of one key.
pub(crate) fn complete(
    body: Value,
    kind: &KindId,
    names: &Names<'_>,
    labels: &[(&str, String)],
) -> Result<Value, Vec<Problem>> {
    let Value::Object(mut fields) = body else {
        return Err(vec![Problem::new("", "the body is not an object")]);
    };
    let mut problems = Vec::new();
    if kind.group.is_empty() && kind.kind == "Secret" {
        string_data(&mut fields);
    }
    let mut metadata = match fields.remove("metadata") {
        Some(Value::Object(metadata)) => metadata,
        _ => Map::new(),
    };
    add_labels(&mut metadata, labels, &mut problems);
    metadata.insert("name".to_owned(), json!(names.name));
    if kind.namespaced {
        metadata.insert("namespace".to_owned(), json!(names.namespace));
    }
    if is_built_in(kind) {
        let lists = Lists { is_service: kind.group.is_empty() && kind.kind == "Service" };
        let mut path = String::new();
        for (field, value) in &mut fields {
            path.clone_from(field);
            lists.keys(field, value, &mut path, &mut problems);
        }
    }
    let mut body = Map::new();
    body.insert("apiVersion".to_owned(), json!(kind.api_version()));
    body.insert("kind".to_owned(), json!(kind.kind));
    body.insert("metadata".to_owned(), Value::Object(metadata));
    body.extend(fields);
    if problems.is_empty() { Ok(Value::Object(body)) } else { Err(problems) }
}

/// Whether the kind is one of Kubernetes' own, which the table of list keys speaks of: their groups have no dot, or
/// end in `.k8s.io`.
fn is_built_in(kind: &KindId) -> bool {
    !kind.group.contains('.') || kind.group.ends_with(".k8s.io")
}

/// `stringData` is write-only: a key that is applied through it is never let go again. So it is sent as `data`,
/// and wins over it as it does at the API server.
fn string_data(fields: &mut Map<String, Value>) {
    let Some(Value::Object(text)) = fields.remove("stringData") else { return };
    let data = fields.entry("data").or_insert_with(|| json!({}));
    if let Value::Object(data) = data {
        for (key, value) in text {
            let bytes = value.as_str().unwrap_or_default();
            data.insert(key, json!(base64::engine::general_purpose::STANDARD.encode(bytes)));
        }
    }
}

fn add_labels(metadata: &mut Map<String, Value>, labels: &[(&str, String)], problems: &mut Vec<Problem>) {
    if !labels.is_empty() {
        let own = metadata.entry("labels").or_insert_with(|| json!({}));
        if let Value::Object(own) = own {
            for (key, value) in labels {
                if own.insert((*key).to_owned(), json!(value)).is_some() {
                    let message = "is written by the set and by this member; keep one of them";
                    problems.push(Problem::new(format!("metadata.labels[{key:?}]"), message));
                }
            }
        }
    }
    for (key, value) in metadata.get("labels").and_then(Value::as_object).into_iter().flatten() {
        if let Err(why) = limits::label_value(value.as_str().unwrap_or_default()) {
            problems.push(Problem::new(format!("metadata.labels[{key:?}]"), why));
        }
    }
}

/// What the names of lists mean in a kind.
struct Lists {
    /// The ports of a Service are merged by key, and those of no other kind that has a port and a protocol in them.
    is_service: bool,
}

impl Lists {
    /// Sends the defaults of key fields, and refuses two entries of one key: Server-Side Apply would.
    fn keys(&self, field: &str, value: &mut Value, path: &mut String, problems: &mut Vec<Problem>) {
        let here = path.len();
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    path.push('.');
                    path.push_str(key);
                    self.keys(key, value, path, problems);
                    path.truncate(here);
                }
            }
            Value::Array(list) => {
                self.unique(field, list, path, problems);
                for (i, entry) in list.iter_mut().enumerate() {
                    // Writing to a String can't fail.
                    let _ = write!(path, "[{i}]");
                    self.keys("", entry, path, problems);
                    path.truncate(here);
                }
            }
            _ => {}
        }
    }

    fn unique(&self, field: &str, list: &mut [Value], path: &str, problems: &mut Vec<Problem>) {
        let has = |entry: &Value, key: &KeyField| key.default.is_some() || entry.get(key.name).is_some();
        let keys = self
            .of(field, path)
            .iter()
            .find(|keys| list.iter().all(|entry| entry.is_object() && keys.iter().all(|key| has(entry, key))));
        let Some(keys) = keys else { return };
        let mut seen = BTreeMap::new();
        for (i, entry) in list.iter_mut().enumerate() {
            let Value::Object(entry) = entry else { continue };
            let mut this = Vec::new();
            for key in *keys {
                if let Some(default) = key.default {
                    entry.entry(key.name).or_insert_with(|| json!(default));
                }
                this.push(format!("{}={}", key.name, entry.get(key.name).unwrap_or(&Value::Null)));
            }
            let this = this.join(", ");
            if let Some(first) = seen.get(&this) {
                let message = format!("has the key of {path}[{first}] ({this}); a key may be there once");
                problems.push(Problem::new(format!("{path}[{i}]"), message));
            } else {
                seen.insert(this, i);
            }
        }
    }

    /// The fields that may be the keys of a list.
    fn of(&self, field: &str, path: &str) -> &'static [&'static [KeyField]] {
        if self.is_service && path == "spec.ports" {
            &[<ServiceSpec as ListMap<ServicePort>>::FIELDS]
        } else {
            merge_keys_of(field)
        }
    }
}

/// Checks names, what is declared twice, and the order; adds that a binding comes after its role, which has to
/// be there.
pub(crate) fn whole(entries: &mut [Entry], problems: &mut Vec<Problem>) {
    let mut at: BTreeMap<(&str, &str, Option<String>, String), usize> = BTreeMap::new();
    let mut bindings = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let Content::Object(item) = &entry.content else { continue };
        let kind = &item.object.kind;
        if let Err(why) = limits::name(kind, &item.name) {
            problems.push(Problem::new(&entry.member, format!("{} `{}`: {why}", kind.kind, item.name)));
        }
        if kind.namespaced && item.namespace.as_deref().is_none_or(str::is_empty) {
            let message = format!("{} `{}` has no namespace: its owner has none, so say one", kind.kind, item.name);
            problems.push(Problem::new(&entry.member, message));
        }
        let key = (kind.group, kind.kind, item.namespace.clone(), item.name.clone());
        if let Some(first) = at.insert(key, i) {
            let message = format!("{} `{}` is declared by `{}` already", kind.kind, item.name, entries[first].member);
            problems.push(Problem::new(&entry.member, message));
        }
        if let Some(binding) = item.object.binds {
            if item.body.pointer("/subjects/0/namespace").and_then(Value::as_str).is_none_or(str::is_empty) {
                let message = format!(
                    "{} `{}` binds a ServiceAccount, which lives in a namespace, and its owner has none: say which, \
                     #[member(namespace = \"...\")]",
                    kind.kind, item.name
                );
                problems.push(Problem::new(&entry.member, message));
            }
            let role = item.body.pointer("/roleRef/name").and_then(Value::as_str).unwrap_or_default();
            let namespace = binding.role.namespaced.then(|| item.namespace.clone()).flatten();
            bindings.push((i, (binding.role.group, binding.role.kind, namespace, role.to_owned())));
        }
    }
    let mut edges = Vec::new();
    for (i, role) in bindings {
        let Content::Object(item) = &entries[i].content else { continue };
        match at.get(&role) {
            Some(role) => edges.push((i, *role)),
            None => match bound::without_role(entries, &entries[i], item) {
                Ok(waiting) => edges.extend(waiting.into_iter().map(|role| (i, role))),
                Err(problem) => problems.push(problem),
            },
        }
    }
    for (binding, role) in edges {
        entries[binding].after.push(role);
    }
    for entry in entries.iter_mut() {
        entry.after.sort_unstable();
        entry.after.dedup();
    }
    if let Some(member) = cycle(entries) {
        problems.push(Problem::new(member, "comes after itself, through the members it is `after`"));
    }
}

/// A member of a cycle in the order, if there is one: what is left when everything that can go first went.
fn cycle(entries: &[Entry]) -> Option<String> {
    let mut done = vec![false; entries.len()];
    loop {
        let free: Vec<_> =
            (0..entries.len()).filter(|&i| !done[i] && entries[i].after.iter().all(|&before| done[before])).collect();
        if free.is_empty() {
            break;
        }
        for i in free {
            done[i] = true;
        }
    }
    done.iter().position(|done| !done).map(|i| entries[i].member.clone())
}
