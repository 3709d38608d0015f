//! A body is read back into the Rust type once for each shape: a path that the type loses is a mistake.

use crate::problem::Problem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::TypeId;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Shapes that were read back already: which fields are there, whatever their values.
static KNOWN: LazyLock<Mutex<HashSet<u64>>> = LazyLock::new(Mutex::default);

/// Reads `body` as a `T` and back, and compares what came of every path.
///
/// # Errors
/// The paths that `T` does not know under these names, or why it can't be read at all.
pub(crate) fn read_back<T: Serialize + DeserializeOwned + 'static>(body: &Value) -> Result<(), Vec<Problem>> {
    let mut hasher = DefaultHasher::new();
    TypeId::of::<T>().hash(&mut hasher);
    shape(body, &mut hasher);
    let shape = hasher.finish();
    if KNOWN.lock().unwrap_or_else(PoisonError::into_inner).contains(&shape) {
        return Ok(());
    }
    let again = serde_json::from_value::<T>(body.clone()).and_then(|typed| serde_json::to_value(&typed));
    let mut problems = Vec::new();
    match again {
        Ok(again) => lost(body, &again, "", &mut problems),
        Err(error) => {
            let message = format!("the declared fields can't be read as `{}`: {error}", std::any::type_name::<T>());
            problems.push(Problem::new("", message));
        }
    }
    if problems.is_empty() {
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(shape);
        Ok(())
    } else {
        Err(problems)
    }
}

fn shape(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Object(map) => {
            0_u8.hash(hasher);
            for (key, value) in map {
                key.hash(hasher);
                shape(value, hasher);
            }
        }
        Value::Array(list) => {
            1_u8.hash(hasher);
            for value in list {
                shape(value, hasher);
            }
        }
        _ => 2_u8.hash(hasher),
    }
    3_u8.hash(hasher);
}

fn lost(sent: &Value, again: &Value, path: &str, problems: &mut Vec<Problem>) {
    match (sent, again) {
        (Value::Object(sent), again) => {
            for (key, value) in sent {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                match again.get(key) {
                    Some(again) => lost(value, again, &path, problems),
                    // An empty object or list may be left out by a type that knows the field.
                    None if matches!(value, Value::Object(map) if map.is_empty()) => {}
                    None if matches!(value, Value::Array(list) if list.is_empty()) => {}
                    None => problems.push(Problem::new(
                        path,
                        "the kind has no field of this JSON name; its type names it otherwise (`#[serde(rename)]`)",
                    )),
                }
            }
        }
        (Value::Array(sent), again) => {
            for (i, value) in sent.iter().enumerate() {
                let path = format!("{path}[{i}]");
                match again.get(i) {
                    Some(again) => lost(value, again, &path, problems),
                    None => problems.push(Problem::new(path, "is lost when it is read as the kind")),
                }
            }
        }
        _ => {}
    }
}
