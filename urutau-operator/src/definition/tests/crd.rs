use serde_json::{Value, json};

use super::problems;
use crate::definition::{Document, schema};
use crate::shape::{Schemas, Shape};

/// Walks the document's schema and the CRD's together.
fn compare(schemas: &Schemas, ours: &Value, crd: &Value, path: &str, seen: &mut Vec<String>) {
    if path.matches(".not").count() > 1 || path.matches("[]").count() > 3 {
        return;
    }
    match schemas.shape(ours) {
        Shape::Fields { fields, .. } => {
            assert_eq!(crd["x-kubernetes-preserve-unknown-fields"], true, "{path} would lose unknown fields");
            let Some(properties) = crd.get("properties") else {
                assert!(path.contains("filter"), "{path} has no fields in the CRD");
                return;
            };
            let properties = properties.as_object().unwrap();
            assert_eq!(fields.keys().collect::<Vec<_>>(), properties.keys().collect::<Vec<_>>(), "{path}");
            for (name, field) in fields {
                let path = format!("{path}.{name}");
                assert!(properties[name]["description"].is_string(), "{path} is not described");
                compare(schemas, field, &properties[name], &path, seen);
                seen.push(path);
            }
        }
        Shape::List(items) => compare(schemas, items, &crd["items"], &format!("{path}[]"), seen),
        Shape::Map(values) => compare(schemas, values, &crd["additionalProperties"], &format!("{path}[]"), seen),
        Shape::Bool => assert_eq!(crd["type"], "boolean", "{path}"),
        Shape::Integer { .. } => assert_eq!(crd["type"], "integer", "{path}"),
        Shape::Any => assert_eq!(crd["x-kubernetes-preserve-unknown-fields"], true, "{path}"),
        Shape::String | Shape::Word(_) | Shape::Text { .. } => assert_eq!(crd["type"], "string", "{path}"),
    }
}

#[test]
fn the_crd_knows_the_fields_that_the_document_knows() {
    let schemas = Schemas::of::<Document>();
    let mut seen = Vec::new();
    compare(&schemas, schemas.root(), schema(), "", &mut seen);
    assert!(seen.len() > 130, "only {} fields were compared", seen.len());
    for field in [".source.postgres.cdc.plugin", ".tables[].workers.max", ".tables[].filter.all[].where.op"] {
        let found = seen.iter().any(|path| path == field);
        assert!(found || field.contains("all[]"), "{field} was not compared");
    }
}

/// Checks that a schema, and every one in it, has no other keys than these.
fn keys_are(schema: &Value, allowed: &[&str]) {
    for (key, value) in schema.as_object().unwrap() {
        assert!(allowed.contains(&key.as_str()), "{key} in {schema}");
        match key.as_str() {
            "properties" => value.as_object().unwrap().values().for_each(|field| keys_are(field, allowed)),
            "items" | "additionalProperties" => keys_are(value, allowed),
            _ => {}
        }
    }
}

#[test]
fn the_crd_refuses_no_document_for_what_it_says() {
    let allowed = [
        "type",
        "description",
        "properties",
        "items",
        "additionalProperties",
        "nullable",
        "x-kubernetes-preserve-unknown-fields",
    ];
    keys_are(schema(), &allowed);
}

#[test]
fn a_filter_is_open_where_it_would_hold_itself() {
    let filter = &schema()["properties"]["tables"]["items"]["properties"]["filter"];
    assert_eq!(filter["properties"]["where"]["properties"]["col"]["type"], "string");
    let within = &filter["properties"]["all"]["items"];
    assert_eq!((&within["type"], &within["x-kubernetes-preserve-unknown-fields"]), (&json!("object"), &json!(true)));
    assert!(within.get("properties").is_none());
}

#[test]
fn every_field_of_the_crd_can_be_told_from_a_misspelt_one() {
    let document = json!({ "pipeline": "p", "source": { "kind": "mysql", "serverId": "1", "schemaRegistryAut": {} },
        "sink": { "namespace": "n" }, "tables": [{ "source": "a", "target": "b", "primaryKey": ["c"] }] });
    assert_eq!(problems(&document), [r#"source.schemaRegistryAut: unknown field; did you mean "schemaRegistryAuth"?"#]);
}
