//! What a CRD asks of a schema beyond what schemars writes.

use schemars::Schema;
use serde_json::{Map, Value};

use super::schema::{described_words, type_name, type_of};

/// Writes the properties of a struct that users fill in as a CRD wants them. Where nothing need be said, null may be:
/// that is what a template leaves where it has no value.
pub(crate) fn input(schema: &mut Schema) {
    for property in schema.as_object_mut().into_iter().flat_map(properties) {
        let is_optional = make_plain(property);
        if property.get("nullable").and_then(Value::as_bool) == Some(false) {
            property.remove("nullable");
        } else if is_optional && !property.contains_key("enum") {
            // The API server refuses null for an enum even where null is one of its words.
            property.insert("nullable".to_owned(), true.into());
        }
    }
}

/// Writes the properties of a struct that we fill in as a CRD wants them, and those of what it holds: absent instead of
/// null.
pub(crate) fn output(schema: &mut Schema) {
    schema.as_object_mut().into_iter().for_each(make_all_plain);
}

fn make_all_plain(schema: &mut Map<String, Value>) {
    for property in properties(schema) {
        make_plain(property);
        make_all_plain(property);
    }
    schema.get_mut("items").and_then(Value::as_object_mut).into_iter().for_each(make_all_plain);
}

fn properties(schema: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut)
}

/// Takes out the alternative of null, and the number formats that the API server does not know and would warn of.
/// Whether there was that alternative.
fn make_plain(property: &mut Map<String, Value>) -> bool {
    let mut is_optional = false;
    if let Some(Value::Array(alternatives)) = property.get("anyOf")
        && let [Value::Object(value), none] = alternatives.as_slice()
        && type_of(none) == Some("null")
    {
        let value = value.clone();
        property.remove("anyOf");
        for (key, value) in value {
            property.entry(key).or_insert(value);
        }
        is_optional = true;
    }
    if let Some(words) = property.get("oneOf").and_then(described_words).map(Value::from) {
        property.remove("oneOf");
        property.insert("type".to_owned(), "string".into());
        property.insert("enum".to_owned(), words);
    }
    if let Some(name) = property.get("type").filter(|names| names.is_array()).and_then(type_name).map(Value::from) {
        property.insert("type".to_owned(), name);
        is_optional = true;
    }
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    let format = property.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("uint")) {
        property.insert("format".to_owned(), "int64".into());
    }
    is_optional
}
