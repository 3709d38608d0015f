//! Lays a schema over a value, and makes the value fit.

use serde_json::{Map, Value};

use super::schema::{Schemas, Shape};
use super::value::{alternatives, described, quoted};
use super::{Problem, Problems, join, nearest};
use crate::text::Kind;

/// The value with everything that does not fit replaced or left out, and each of those reported.
pub(super) fn fit(schemas: &Schemas, value: &Value, path: &str, problems: &mut Problems) -> Value {
    let mut walk = Walk { schemas, problems };
    walk.value(schemas.root(), value, path).unwrap_or_else(|| walk.stand_in(schemas.root()))
}

struct Walk<'a> {
    schemas: &'a Schemas,
    problems: &'a mut Problems,
}

impl Walk<'_> {
    /// The value as it fits, or nothing when all of it was refused.
    fn value(&mut self, schema: &Value, value: &Value, path: &str) -> Option<Value> {
        match (self.schemas.shape(schema), value) {
            (Shape::Any, _) | (Shape::Bool, Value::Bool(_)) | (Shape::String, Value::String(_)) => Some(value.clone()),
            (Shape::Integer { least, most }, Value::Number(_)) => self.integer(least, most, value, path),
            (Shape::Text { kind, .. }, Value::String(text)) => self.text(kind, text, path),
            (Shape::Text { kind, or_integer: true }, Value::Number(number)) if !number.is_f64() => {
                self.text(kind, &number.to_string(), path)
            }
            (Shape::Word(words), Value::String(text)) => self.word(&words, text, path),
            (Shape::List(items), Value::Array(entries)) => Some(self.list(items, entries, path)),
            (Shape::Map(values), Value::Object(entries)) => Some(self.map(values, entries, path)),
            (Shape::Fields { fields, required }, Value::Object(given)) => {
                Some(self.fields(fields, &required, given, path))
            }
            (shape, _) => {
                self.refuse(
                    path,
                    format!("expected {}, got {}", expected(&shape), described(value)),
                    &fix(&shape, value),
                );
                None
            }
        }
    }

    fn integer(&mut self, least: Option<i64>, most: Option<i64>, value: &Value, path: &str) -> Option<Value> {
        let range = match (least, most) {
            (Some(least), Some(most)) if most <= i64::from(u16::MAX) => {
                format!("write a number from {least} to {most}")
            }
            (Some(least), _) => format!("write {least} or more"),
            (None, Some(most)) => format!("write {most} or less"),
            (None, None) => "write a whole number".to_owned(),
        };
        let Some(number) = value.as_i64() else {
            let message = if value.is_f64() { "is not a whole number" } else { "is too large" };
            self.refuse(path, format!("{value} {message}"), &range);
            return None;
        };
        if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
            self.refuse(path, format!("{number} is out of range"), &range);
            return None;
        }
        Some(value.clone())
    }

    fn text(&mut self, kind: Kind, text: &str, path: &str) -> Option<Value> {
        match (kind.check)(text) {
            Ok(()) => Some(Value::String(text.to_owned())),
            Err(unreadable) => {
                self.refuse(path, unreadable.message, &unreadable.fix);
                None
            }
        }
    }

    fn word(&mut self, words: &[&str], text: &str, path: &str) -> Option<Value> {
        if words.contains(&text) {
            return Some(Value::String(text.to_owned()));
        }
        let meant = nearest(text, words.iter().copied());
        let meant = meant.map(|word| format!("did you mean {word:?}? ")).unwrap_or_default();
        let words = alternatives(words.iter().copied());
        self.refuse(path, format!("{} is not known here", quoted(text)), &format!("{meant}write {words}"));
        None
    }

    fn list(&mut self, items: &Value, entries: &[Value], path: &str) -> Value {
        let entries = entries.iter().enumerate().map(|(index, entry)| {
            let fitted = self.value(items, entry, &format!("{path}[{index}]"));
            // The entry keeps its place, so that the paths of those after it stay right.
            fitted.unwrap_or_else(|| self.stand_in(items))
        });
        Value::Array(entries.collect())
    }

    fn map(&mut self, values: &Value, entries: &Map<String, Value>, path: &str) -> Value {
        let entries =
            entries.iter().filter_map(|(key, entry)| Some((key.clone(), self.value(values, entry, &join(path, key))?)));
        Value::Object(entries.collect())
    }

    fn fields(
        &mut self,
        fields: &Map<String, Value>,
        required: &[&str],
        given: &Map<String, Value>,
        path: &str,
    ) -> Value {
        for name in given.keys().filter(|name| !fields.contains_key(*name)) {
            self.unknown(name, fields, given, path);
        }
        let mut fitted = Map::new();
        for (name, schema) in fields {
            let path = join(path, name);
            let is_required = required.contains(&name.as_str());
            let shape = self.schemas.shape(schema);
            let fits = match given.get(name).filter(|value| !is_empty(value, &shape)) {
                Some(value) => self.value(schema, value, &path),
                // Not where an unknown field is a slip for this one.
                None if is_required && !self.problems.is_covered(&path) => {
                    self.refuse(&path, "required", &fix_missing(name, &shape));
                    None
                }
                None => None,
            };
            if let Some(value) = fits {
                fitted.insert(name.clone(), value);
            } else if is_required {
                fitted.insert(name.clone(), self.stand_in(schema));
            }
        }
        Value::Object(fitted)
    }

    fn unknown(&mut self, name: &str, fields: &Map<String, Value>, given: &Map<String, Value>, path: &str) {
        let known = || fields.keys().map(String::as_str);
        let fix = match nearest(name, known().filter(|known| given.get(*known).is_none_or(Value::is_null))) {
            Some(meant) => {
                // The value that was meant is not the default that stands there now.
                self.problems.distrust(join(path, meant));
                format!("did you mean {meant:?}?")
            }
            None => format!("remove it; known here: {}", known().collect::<Vec<_>>().join(", ")),
        };
        self.problems.remark(Problem::new(join(path, name), "unknown field", fix));
    }

    fn refuse(&mut self, path: &str, message: impl Into<String>, fix: &str) {
        self.problems.add(Problem::new(path, message, fix));
    }

    /// A value that fits, and says nothing.
    fn stand_in(&self, schema: &Value) -> Value {
        match self.schemas.shape(schema) {
            Shape::Any => Value::Null,
            Shape::Bool => Value::Bool(false),
            Shape::Integer { least, .. } => least.unwrap_or_default().into(),
            Shape::String => Value::String(String::new()),
            Shape::Text { kind, .. } => kind.stand_in.into(),
            Shape::Word(words) => words.first().copied().unwrap_or_default().into(),
            Shape::List(_) => Value::Array(Vec::new()),
            Shape::Map(_) => Value::Object(Map::new()),
            Shape::Fields { fields, required } => {
                let fields = fields.iter().filter(|(name, _)| required.contains(&name.as_str()));
                Value::Object(fields.map(|(name, schema)| (name.clone(), self.stand_in(schema))).collect())
            }
        }
    }
}

/// Whether a field that holds this might as well be absent. The API server too drops nulls, and an empty text is how
/// generated manifests say that there is none.
fn is_empty(value: &Value, shape: &Shape<'_>) -> bool {
    value.is_null() || (value.as_str().is_some_and(str::is_empty) && !matches!(shape, Shape::Any))
}

fn expected(shape: &Shape<'_>) -> String {
    match shape {
        Shape::Any => "anything".to_owned(),
        Shape::Bool => "true or false".to_owned(),
        Shape::Integer { .. } => "a whole number".to_owned(),
        Shape::Text { or_integer: true, .. } => "a string or a whole number".to_owned(),
        Shape::String | Shape::Word(_) | Shape::Text { .. } => "a string".to_owned(),
        Shape::List(_) => "a list".to_owned(),
        Shape::Fields { .. } | Shape::Map(_) => "an object".to_owned(),
    }
}

/// What to write instead of a value of the wrong type: the same in the right one, where there is such a thing.
fn fix(shape: &Shape<'_>, value: &Value) -> String {
    let is_text = matches!(shape, Shape::String | Shape::Word(_) | Shape::Text { .. });
    match (shape, value) {
        (_, Value::Number(_) | Value::Bool(_)) if is_text => {
            format!("put it in quotes: \"{value}\"")
        }
        (Shape::Bool | Shape::Integer { .. }, Value::String(text)) if is_same(shape, text) => {
            format!("remove the quotes: {text}")
        }
        (Shape::List(_), Value::String(_) | Value::Number(_)) => {
            format!("put it in brackets: [{value}]")
        }
        (Shape::Fields { fields, .. }, _) => {
            format!(
                "write fields, indented, of these: {}",
                fields.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
            )
        }
        (Shape::Word(words), _) => format!("write {}", alternatives(words.iter().copied())),
        (shape, _) => format!("write {}", expected(shape)),
    }
}

fn is_same(shape: &Shape<'_>, text: &str) -> bool {
    match shape {
        Shape::Bool => text == "true" || text == "false",
        _ => text.parse::<i64>().is_ok(),
    }
}

fn fix_missing(name: &str, shape: &Shape<'_>) -> String {
    match shape {
        Shape::Word(words) => format!("add {name}: {}", alternatives(words.iter().copied())),
        Shape::Any => format!("add {name}"),
        shape => format!("add {name}, {}", expected(shape)),
    }
}
