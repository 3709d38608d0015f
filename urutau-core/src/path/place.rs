//! Finding, and where needed making, the place in a JSON body that a path leads to.

use super::{Link, Segment};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// What stands in the way of a path.
pub(crate) enum Place<'b> {
    /// The place; `Null` where nothing was written yet.
    Found(&'b mut Value),
    /// A value on the way that is neither an object nor a list.
    Blocked,
}

/// The place in `body` that `link` leads to.
pub(crate) fn place<'b>(body: &'b mut Value, link: Option<&Link<'_>>) -> Place<'b> {
    let Some(link) = link else { return Place::Found(body) };
    let parent = match place(body, link.parent) {
        Place::Found(parent) => parent,
        Place::Blocked => return Place::Blocked,
    };
    match &link.segment {
        Segment::Field(name) => {
            if parent.is_null() {
                *parent = Value::Object(Map::new());
            }
            match parent {
                Value::Object(map) => {
                    // Most steps lead through what is there, and need no key of their own.
                    if !map.contains_key(name.as_ref()) {
                        map.insert(name.as_ref().to_owned(), Value::Null);
                    }
                    map.get_mut(name.as_ref()).map_or(Place::Blocked, Place::Found)
                }
                _ => Place::Blocked,
            }
        }
        Segment::Entry(key) => {
            if parent.is_null() {
                *parent = Value::Array(Vec::new());
            }
            let Value::Array(list) = parent else { return Place::Blocked };
            let found = list.iter().position(|entry| key.iter().all(|(name, value)| entry.get(*name) == Some(value)));
            let at = found.unwrap_or_else(|| {
                let fields = key.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
                list.push(Value::Object(fields.collect()));
                list.len() - 1
            });
            Place::Found(&mut list[at])
        }
    }
}

impl Link<'_> {
    /// The path as people read it: `spec.ports[53, "UDP"].name`.
    pub(crate) fn show(link: Option<&Self>) -> String {
        let Some(link) = link else { return String::new() };
        let mut text = Self::show(link.parent);
        // Writing to a String can't fail.
        let _ = match &link.segment {
            Segment::Field(name) if name.chars().all(|c| c.is_ascii_alphanumeric()) => {
                write!(text, "{}{name}", if text.is_empty() { "" } else { "." })
            }
            Segment::Field(name) => write!(text, "[{name:?}]"),
            Segment::Entry(key) => {
                let values: Vec<_> = key.iter().map(|(_, value)| value.to_string()).collect();
                write!(text, "[{}]", values.join(", "))
            }
        };
        text
    }

    /// Whether the path ends at the key of the entry it goes through, which the entry has already.
    pub(crate) fn is_key(link: Option<&Self>) -> bool {
        let Some(Link { parent: Some(Link { segment: Segment::Entry(key), .. }), segment: Segment::Field(name) }) =
            link
        else {
            return false;
        };
        key.iter().any(|(field, _)| field == name)
    }
}
