//! The Secrets of a file.

use crate::api::METADATA;
use crate::console::documents::Document;
use crate::shape::{Problem, Problems};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;

/// The document as a Secret, what it gives as text turned into data as the API server does it.
///
/// # Errors
/// Everything that is wrong with it, by path.
pub(super) fn read(document: &Document) -> Result<Secret, Vec<Problem>> {
    let mut problems = Problems::default();
    let metadata = document.value.get("metadata").filter(|metadata| !metadata.is_null());
    let metadata = metadata.and_then(|metadata| METADATA.read(metadata, "metadata", &mut problems)).unwrap_or_default();
    if metadata.name.is_none() {
        problems.offer(Problem::new("metadata.name", "required", "name the Secret"));
    }
    let mut data = std::collections::BTreeMap::new();
    for (key, value) in entries(document, "data", &mut problems) {
        match serde_json::from_value::<ByteString>(value.clone()) {
            Ok(bytes) => _ = data.insert(key.clone(), bytes),
            // The value is not repeated: it may well be a password that should have stood elsewhere.
            Err(_) => problems.add(Problem::new(
                format!("data.{key}"),
                "is not base64",
                "encode it, or write it as it is under stringData",
            )),
        }
    }
    for (key, value) in entries(document, "stringData", &mut problems) {
        match value {
            Value::String(text) => _ = data.insert(key.clone(), ByteString(text.clone().into_bytes())),
            _ => problems.add(Problem::new(format!("stringData.{key}"), "is no text", "put it in quotes")),
        }
    }
    if problems.is_empty() {
        Ok(Secret { metadata, data: Some(data), ..Secret::default() })
    } else {
        Err(problems.into_sorted())
    }
}

/// The entries of one of the two maps.
fn entries<'a>(document: &'a Document, field: &str, problems: &mut Problems) -> Vec<(&'a String, &'a Value)> {
    match document.value.get(field) {
        Some(Value::Object(map)) => return map.iter().collect(),
        None | Some(Value::Null) => {}
        Some(_) => {
            problems.add(Problem::new(field, "is no map", "write the keys below it, indented, each with its value"));
        }
    }
    Vec::new()
}

/// A Secret with the keys that it has to have, empty.
pub(super) fn assumed(name: &str, keys: &[&str]) -> Secret {
    Secret {
        metadata: ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() },
        data: Some(keys.iter().map(|key| ((*key).to_owned(), ByteString(Vec::new()))).collect()),
        ..Secret::default()
    }
}
