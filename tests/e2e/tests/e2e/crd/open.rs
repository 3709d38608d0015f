//! H-06: values of any form. What an author has to add is in [`OpenSpec`]; without it the CRD is refused.

use super::object;
use super::server::Server;
use kube::CustomResource;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::Kind;

#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Open", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct OpenSpec {
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    config: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    maybe: Option<Value>,
    #[schemars(with = "Vec<Anything>")]
    list: Vec<Value>,
    #[schemars(with = "BTreeMap<String, Anything>")]
    map: BTreeMap<String, Value>,
    lists: BTreeMap<String, Vec<String>>,
    flat: Flat,
    #[schemars(extend("x-kubernetes-embedded-resource" = true, "x-kubernetes-preserve-unknown-fields" = true, "type" = "object"))]
    embedded: Value,
}

/// Fields of other names go into a map.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Flat {
    known: i32,
    #[serde(flatten)]
    extra: BTreeMap<String, Value>,
}

/// The schema of any value at all.
pub struct Anything;

impl JsonSchema for Anything {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Anything".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "x-kubernetes-preserve-unknown-fields": true })
    }
}

#[tokio::test]
async fn h_06_what_is_stored_is_what_was_sent() {
    let server = Server::with::<Open>().await;
    let values =
        [json!(1), json!("a"), json!([1, [2], {}]), json!({ "a": { "b": [null, { "c": 1.5 }] } }), json!(false)];
    let pod = json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "p" }, "spec": { "any": [1] } });
    for (i, value) in values.iter().enumerate() {
        let spec = json!({
            "config": value, "maybe": value, "list": [value, value], "map": { "a": value }, "lists": { "a": ["b"], "c": [] },
            "flat": { "known": 1, "other": value, "another": { "deep": value } }, "embedded": pod,
        });
        let stored = server
            .create(&object("Open", &format!("o{i}"), &spec))
            .await
            .unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(stored["spec"], spec);
        let read: Open = serde_json::from_value(stored).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap()["spec"], spec);
    }
}

/// The same without a word about it.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Untyped", namespaced)]
pub struct UntypedSpec {
    config: Value,
    list: Vec<Value>,
}

#[tokio::test]
async fn h_06_a_value_without_the_attribute_is_refused_with_the_crd_and_never_pruned() {
    let refusal = Server::refusal::<Untyped>().await;
    for field in ["properties[config].type: Required value", "properties[list].items.type: Required value"] {
        assert!(refusal.contains(field), "{refusal}");
    }
}

/// A struct that refuses what it does not know: the API server drops it.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Strict", namespaced)]
#[serde(deny_unknown_fields)]
pub struct StrictSpec {
    known: i32,
}

#[tokio::test]
async fn h_06_a_type_that_refuses_unknown_fields_is_structural() {
    let server = Server::with::<Strict>().await;
    let stored = server.create(&object("Strict", "s", &json!({ "known": 1, "unknown": 2 }))).await.unwrap();
    assert_eq!(stored["spec"], json!({ "known": 1 }));
    serde_json::from_value::<Strict>(stored).unwrap();
}
