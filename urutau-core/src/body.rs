//! The body of an apply: exactly what a struct names, and who named it.

use crate::path::{Link, Place, place};
use crate::problem::Problem;
use serde_json::{Map, Value, json};

/// A body that is being written. Nothing is sent that was not written here; a place that is written twice is
/// a problem that names both writers.
#[derive(Default)]
pub struct Body {
    json: Value,
    problems: Vec<Problem>,
    writer: &'static str,
    /// Who wrote where; kept only when a first try found a clash, to name both sides of it.
    trace: Option<Vec<(String, &'static str)>>,
}

impl Body {
    /// Writes a body with `write`. Where a place is written twice it is written once more, keeping track of
    /// who wrote what.
    ///
    /// # Errors
    /// Every place that is written twice or can't be written.
    pub fn build(write: impl Fn(&mut Self)) -> Result<Value, Vec<Problem>> {
        let mut body = Self { json: json!({}), ..Self::default() };
        write(&mut body);
        if body.problems.is_empty() {
            return Ok(body.json);
        }
        let mut body = Self { json: json!({}), trace: Some(Vec::new()), ..Self::default() };
        write(&mut body);
        Err(body.problems)
    }

    /// Names the field, or the attribute, whose values are written next.
    pub fn by(&mut self, writer: &'static str) {
        self.writer = writer;
    }

    /// Writes a root field whose content the framework makes, such as the rules of a Role.
    pub fn root(&mut self, field: &str, mut value: Value) {
        drop_nulls(&mut value);
        if let Value::Object(root) = &mut self.json
            && root.insert(field.to_owned(), value).is_some()
        {
            self.clash(field);
        }
    }

    pub(crate) fn set(&mut self, at: Option<&Link<'_>>, mut value: Value) {
        if value.is_null() {
            return;
        }
        drop_nulls(&mut value);
        match place(&mut self.json, at) {
            Place::Found(slot) if slot.is_null() || (at.is_none() && *slot == json!({})) => {
                *slot = value;
                self.wrote(at);
            }
            Place::Found(slot) if Link::is_key(at) && *slot == value => {}
            Place::Found(_) | Place::Blocked => self.clash(&Link::show(at)),
        }
    }

    pub(crate) fn extend(&mut self, at: Option<&Link<'_>>, entries: Map<String, Value>) {
        if entries.is_empty() {
            return;
        }
        let Place::Found(slot) = place(&mut self.json, at) else { return self.clash(&Link::show(at)) };
        if slot.is_null() {
            *slot = json!({});
        }
        let Value::Object(map) = slot else { return self.clash(&Link::show(at)) };
        let mut twice = Vec::new();
        for (key, mut value) in entries {
            drop_nulls(&mut value);
            if map.contains_key(&key) {
                twice.push(format!("{}[{key:?}]", Link::show(at)));
            } else {
                map.insert(key, value);
            }
        }
        self.wrote(at);
        for path in twice {
            self.clash(&path);
        }
    }

    pub(crate) fn present(&mut self, at: Option<&Link<'_>>) {
        match place(&mut self.json, at) {
            Place::Found(slot) if slot.is_null() => *slot = json!({}),
            Place::Found(Value::Object(_)) => {}
            Place::Found(_) | Place::Blocked => self.clash(&Link::show(at)),
        }
    }

    pub(crate) fn unwritable(&mut self, at: Option<&Link<'_>>, error: &serde_json::Error) {
        let message = format!("{} can't be written as JSON: {error}", self.writer_text());
        self.problems.push(Problem::new(Link::show(at), message));
    }

    /// Notes what can't be written at a path.
    pub(crate) fn refuse(&mut self, path: &str, why: String) {
        self.problems.push(Problem::new(path, why));
    }

    fn wrote(&mut self, at: Option<&Link<'_>>) {
        if let Some(trace) = &mut self.trace {
            trace.push((Link::show(at), self.writer));
        }
    }

    fn writer_text(&self) -> String {
        if self.writer.is_empty() { "a value".to_owned() } else { format!("`{}`", self.writer) }
    }

    fn clash(&mut self, path: &str) {
        // The other one wrote this path, one above it or one below it.
        let other = self.trace.iter().flatten().find(|(known, _)| {
            let (short, long) = if known.len() < path.len() { (known.as_str(), path) } else { (path, known.as_str()) };
            long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        });
        let message = match other {
            Some((_, other)) if !other.is_empty() && *other != self.writer => {
                format!("is written by `{other}` and by {}; keep one of them", self.writer_text())
            }
            _ => format!("is written twice, the second time by {}; keep one of them", self.writer_text()),
        };
        self.problems.push(Problem::new(path, message));
    }
}

/// Server-Side Apply takes a null as a claim to the field; what is absent is left out instead.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}
