//! The document's part of the CRD.
//!
//! It has types and descriptions, so that `kubectl explain` and editors work, and nothing that can refuse a document
//! for its content. The API server checks the schema before it asks a webhook and then answers alone, one mistake at a
//! time; presence, words and rules are the webhook's, which reports all of them. For the same reason unknown fields
//! are kept: the webhook must see them to name the known ones.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::Document;
use crate::shape::{Schemas, Shape};

const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let schemas = Schemas::of::<Document>();
    typed(&schemas, schemas.root(), &mut Vec::new())
});

/// The structural schema of a document.
pub(crate) fn schema() -> &'static Value {
    &SCHEMA
}

/// A schema with types and descriptions only. `inside` are the schemas that we are in: one that holds itself is left
/// open at its second mention, as a structural schema can't refer to anything.
fn typed<'a>(schemas: &'a Schemas, schema: &'a Value, inside: &mut Vec<&'a str>) -> Value {
    let reference = Schemas::reference(schema);
    let mut typed = match reference {
        Some(name) if inside.contains(&name) => Map::from_iter([("type".to_owned(), json!("object")), preserved()]),
        _ => {
            inside.extend(reference);
            let typed = of_shape(schemas, &schemas.shape(schema), inside);
            inside.truncate(inside.len() - usize::from(reference.is_some()));
            typed
        }
    };
    if let Some(description) = schemas.description(schema) {
        typed.insert("description".to_owned(), description.into());
    }
    Value::Object(typed)
}

fn of_shape<'a>(schemas: &'a Schemas, shape: &Shape<'a>, inside: &mut Vec<&'a str>) -> Map<String, Value> {
    let mut typed = Map::new();
    let mut insert = |key: &str, value: Value| typed.insert(key.to_owned(), value);
    match shape {
        Shape::Any => {
            typed.extend([preserved()]);
        }
        Shape::Bool => {
            insert("type", json!("boolean"));
        }
        Shape::Integer { .. } => {
            insert("type", json!("integer"));
        }
        Shape::String | Shape::Word(_) | Shape::Text { .. } => {
            insert("type", json!("string"));
        }
        Shape::List(items) => {
            insert("type", json!("array"));
            insert("items", self::typed(schemas, items, inside));
        }
        Shape::Map(values) => {
            insert("type", json!("object"));
            insert("additionalProperties", self::typed(schemas, values, inside));
        }
        Shape::Fields { fields, .. } => {
            insert("type", json!("object"));
            let fields = fields.iter().map(|(name, schema)| {
                let mut field = self::typed(schemas, schema, inside);
                field["nullable"] = true.into();
                (name.clone(), field)
            });
            insert("properties", Value::Object(fields.collect()));
            typed.extend([preserved()]);
        }
    }
    typed
}

fn preserved() -> (String, Value) {
    (PRESERVE.to_owned(), Value::Bool(true))
}
