//! H-01, H-03: enums, as kube writes them into a CRD, and what to write where it can't.

use super::object;
use super::server::Server;
use kube::{CustomResource, CustomResourceExt};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use urutau_core::Kind;

/// A kind that holds a type as a field, in an `Option`, in a list and in a map.
macro_rules! kind {
    ($kind:literal, $spec:ident, $of:ty) => {
        #[derive(CustomResource, Kind, Clone, Debug, Serialize, Deserialize, JsonSchema)]
        #[kube(group = "crd.test", version = "v1", kind = $kind, namespaced)]
        pub struct $spec {
            one: $of,
            maybe: Option<$of>,
            list: Option<Vec<$of>>,
            map: Option<BTreeMap<String, $of>>,
        }
    };
}

/// Each good value is stored as it was sent and goes through the type and back, wherever it stands; each bad one is refused.
async fn holds<K>(kind: &str, good: &[Value], bad: &[Value])
where
    K: Kind + CustomResourceExt + Serialize + for<'de> Deserialize<'de>,
{
    let server = Server::with::<K>().await;
    for (i, value) in good.iter().enumerate() {
        let spec = json!({ "one": value, "maybe": value, "list": [value], "map": { "a": value } });
        let stored = server.create(&object(kind, &format!("good-{i}"), &spec)).await;
        let stored = stored.unwrap_or_else(|error| panic!("{value}: {error}"));
        assert_eq!(stored["spec"], spec);
        let read: K = serde_json::from_value(stored).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap()["spec"], spec);
    }
    for value in bad {
        for spec in [
            json!({ "one": value }),
            json!({ "one": good[0], "maybe": value }),
            json!({ "one": good[0], "list": [value] }),
        ] {
            assert!(server.try_create(&object(kind, "bad", &spec)).await.is_err(), "{spec} was taken");
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inner {
    x: i32,
}

/// Tagged by the name of the one field. A variant without content is written with braces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum External {
    /// Nothing more to say.
    Empty {},
    /// Another type.
    Newtype(Inner),
    /// Fields.
    Struct { a: i32, b: Option<String> },
}

/// Told by its fields, one of which two variants share.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    /// Another type.
    Newtype(Inner),
    /// Fields.
    Struct { n: i32, a: i32 },
    /// Other fields.
    Other { n: i32, b: i32 },
}

/// Words, only some with a description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    /// The first.
    #[default]
    One,
    Two,
}

kind!("ByName", ByNameSpec, External);
kind!("ByFields", ByFieldsSpec, Untagged);
kind!("ByWord", ByWordSpec, Words);

#[tokio::test]
async fn h_01_external_tags_untagged_fields_and_words_are_taken_as_they_are() {
    let good = [json!({ "empty": {} }), json!({ "newtype": { "x": 1 } }), json!({ "struct": { "a": 1, "b": null } })];
    let bad =
        [json!({}), json!({ "newtype": { "x": "1" } }), json!({ "newtype": { "x": 1 }, "empty": {} }), json!("empty")];
    holds::<ByName>("ByName", &good, &bad).await;
    let good = [json!({ "x": 1 }), json!({ "n": 1, "a": 1 }), json!({ "n": 1, "b": 1 })];
    let bad = [json!({}), json!({ "n": 1 }), json!({ "x": "1" }), json!(1)];
    holds::<ByFields>("ByFields", &good, &bad).await;
    holds::<ByWord>("ByWord", &[json!("one"), json!("two")], &[json!("three"), json!("One"), json!(1), json!({})])
        .await;
}

/// Tagged by a field.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[schemars(transform = tagged)]
pub enum Internal {
    /// Nothing more to say.
    Unit,
    /// Another type.
    Newtype(Inner),
    /// Fields.
    Struct { a: i32, b: Option<String> },
}

/// Tagged by a field, with the content in another.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
#[schemars(transform = tagged)]
pub enum Adjacent {
    /// Nothing more to say.
    Unit,
    /// Another type.
    Newtype(Inner),
    /// Fields.
    Struct { a: i32, b: Option<String> },
}

/// What an author writes beside an enum that is tagged by its field `type`, as kube panics at one: the fields of all
/// variants side by side, open where two variants differ, the tag as a word, and for each variant a rule that asks for its fields.
fn tagged(schema: &mut Schema) {
    let variants = schema.remove("oneOf").and_then(|variants| variants.as_array().cloned()).unwrap_or_default();
    let (mut fields, mut words, mut rules) = (Map::new(), Vec::new(), Vec::new());
    for variant in &variants {
        let word = variant["properties"]["type"]["const"].as_str().unwrap_or_default();
        words.push(word);
        for (name, field) in variant["properties"].as_object().into_iter().flatten().filter(|(name, _)| *name != "type")
        {
            let open = json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true });
            fields
                .entry(name)
                .and_modify(|known| {
                    if known != field {
                        *known = open;
                    }
                })
                .or_insert_with(|| field.clone());
        }
        for name in variant["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|name| *name != "type")
        {
            rules.push(json!({ "rule": format!("self.type != '{word}' || has(self.{name})"), "message": format!("{word} needs {name}") }));
        }
    }
    fields.insert("type".to_owned(), json!({ "type": "string", "enum": words }));
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), fields.into());
    schema.insert("required".to_owned(), json!(["type"]));
    schema.insert("x-kubernetes-validations".to_owned(), rules.into());
}

kind!("ByTag", ByTagSpec, Internal);
kind!("ByTagAndContent", ByTagAndContentSpec, Adjacent);

#[tokio::test]
async fn h_01_enums_tagged_by_a_field_are_taken_with_a_transform() {
    let good = [
        json!({ "type": "unit" }),
        json!({ "type": "newtype", "x": 1 }),
        json!({ "type": "struct", "a": 1, "b": null }),
    ];
    let bad =
        [json!({}), json!({ "type": "other" }), json!({ "type": "newtype" }), json!({ "type": "struct", "a": "1" })];
    holds::<ByTag>("ByTag", &good, &bad).await;
    let good = [
        json!({ "type": "unit" }),
        json!({ "type": "newtype", "value": { "x": 1 } }),
        json!({ "type": "struct", "value": { "a": 1, "b": null } }),
    ];
    let bad =
        [json!({}), json!({ "type": "other" }), json!({ "type": "newtype" }), json!({ "type": "newtype", "value": 1 })];
    holds::<ByTagAndContent>("ByTagAndContent", &good, &bad).await;
}

mod beyond_kube {
    //! What kube panics at when the CRD is made: not in an operator that is installed already, and a test that makes
    //! the CRD finds it.

    use super::*;

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub enum Tagged {
        A { a: i32 },
        B { b: i32 },
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub enum WithUnit {
        Unit,
        Newtype(Inner),
    }

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Differing {
        A { n: i32 },
        B { n: String, b: i32 },
    }

    kind!("NotByTag", NotByTagSpec, Tagged);
    kind!("NotWithUnit", NotWithUnitSpec, WithUnit);
    kind!("NotDiffering", NotDifferingSpec, Differing);

    /// Fails as soon as kube can do it, and then goes.
    #[test]
    fn h_01_what_kube_can_not_write_is_found_when_the_crd_is_made() {
        for (crd, said) in [
            (NotByTag::crd as fn() -> _, "must be identical"),
            (NotWithUnit::crd, "must be equal for all subschema variants"),
            (NotDiffering::crd, "must be identical"),
        ] {
            let panic = std::panic::catch_unwind(crd).unwrap_err();
            let message = panic.downcast_ref::<String>().unwrap();
            assert!(message.contains(said), "{message}");
        }
    }
}

#[derive(CustomResource, Kind, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "MaybeWord", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct MaybeWordSpec {
    /// Nullable, and with no null among its words: the API server refuses null.
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<Words>,
    /// What to write instead: the schema of what is in the `Option`. A null is dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Words")]
    dropped: Option<Words>,
    #[serde(default)]
    with_default: Words,
    #[serde(default = "two", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Words")]
    maybe_with_default: Option<Words>,
}

#[expect(clippy::unnecessary_wraps, reason = "it is the default of an optional field")]
fn two() -> Option<Words> {
    Some(Words::Two)
}

#[tokio::test]
async fn h_03_optional_words_are_absent_null_or_known() {
    let server = Server::with::<MaybeWord>().await;
    let cases = [
        (json!({}), json!({ "withDefault": "one", "maybeWithDefault": "two" })),
        (
            json!({ "dropped": null, "withDefault": null, "maybeWithDefault": null }),
            json!({ "withDefault": "one", "maybeWithDefault": "two" }),
        ),
        (
            json!({ "plain": "one", "dropped": "two", "withDefault": "two", "maybeWithDefault": "one" }),
            json!({ "plain": "one", "dropped": "two", "withDefault": "two", "maybeWithDefault": "one" }),
        ),
    ];
    for (i, (spec, expected)) in cases.into_iter().enumerate() {
        let stored = server.create(&object("MaybeWord", &format!("m{i}"), &spec)).await.unwrap();
        assert_eq!(stored["spec"], expected);
        let read: MaybeWord = serde_json::from_value(stored).unwrap();
        assert_eq!(serde_json::to_value(&read.spec).unwrap(), expected);
    }
    let message = server.try_create(&object("MaybeWord", "m", &json!({ "plain": null }))).await.unwrap_err();
    assert!(message.contains("spec.plain: Unsupported value: null"), "{message}");
    for field in ["plain", "dropped", "withDefault", "maybeWithDefault"] {
        let message = server.try_create(&object("MaybeWord", "m", &json!({ field: "three" }))).await.unwrap_err();
        assert!(message.contains(&format!("spec.{field}: Unsupported value: \"three\"")), "{message}");
    }
}
