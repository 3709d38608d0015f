//! H-09, H-10: rules in CEL, and the bounds without which they cost too much.

use super::server::Server;
use super::{object, with};
use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use urutau_core::Kind;
use urutau_operator::api::CDCPipeline;

const UNIQUE: &str = "self.all(x, self.exists_one(y, y.name == x.name))";

#[derive(CustomResource, Kind, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Unbounded", namespaced)]
pub struct UnboundedSpec {
    #[schemars(extend("x-kubernetes-validations" = [{ "rule": UNIQUE, "message": "a name stands here twice" }]))]
    items: Vec<Item>,
}

#[derive(CustomResource, Kind, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Bounded", namespaced)]
pub struct BoundedSpec {
    #[schemars(
        length(max = 50),
        extend("x-kubernetes-validations" = [{ "rule": UNIQUE, "message": "a name stands here twice" }])
    )]
    items: Vec<Item>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// A name, and here not an empty one.
    #[schemars(extend("minLength" = 1))]
    name: Name,
    maybe: Option<Name>,
}

/// A text with a bound of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("maxLength" = 63))]
pub struct Name(String);

fn spec_schema(crd: impl Serialize) -> Value {
    let crd = serde_json::to_value(crd).unwrap();
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"].clone()
}

#[tokio::test]
async fn h_09_a_rule_over_a_list_without_bounds_is_refused_with_the_crd() {
    let refusal = Server::refusal::<Unbounded>().await;
    assert!(
        refusal.contains(
            "properties[items].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget"
        ),
        "{refusal}"
    );
    assert!(refusal.contains("adding maxItems"), "{refusal}");
}

#[tokio::test]
async fn h_09_within_bounds_it_is_taken_and_fires() {
    let server = Server::with::<Bounded>().await;
    let items = |names: &[&str]| {
        object(
            "Bounded",
            "b",
            &json!({ "items": names.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>() }),
        )
    };
    server.try_create(&items(&["a", "b"])).await.unwrap();
    let message = server.try_create(&items(&["a", "b", "a"])).await.unwrap_err();
    assert!(message.contains("spec.items: Invalid value: a name stands here twice"), "{message}");
    let many: Vec<String> = (0..51).map(|i| format!("n{i}")).collect();
    let message = server.try_create(&items(&many.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap_err();
    assert!(message.contains("spec.items: Too many: 51: must have at most 50 items"), "{message}");
    // Each rule of ours is cheap, or the API server would not take the CRD; here is that it has some.
    assert!(spec_schema(CDCPipeline::crd()).to_string().matches("x-kubernetes-validations").count() >= 5);
}

#[tokio::test]
async fn h_10_bounds_of_a_type_stand_beside_those_of_the_field() {
    let schema = spec_schema(Bounded::crd());
    assert!(!schema.to_string().contains("allOf") && !schema.to_string().contains("anyOf"), "{schema}");
    let item = &schema["properties"]["items"]["items"]["properties"];
    assert_eq!((&item["name"]["maxLength"], &item["name"]["minLength"]), (&json!(63), &json!(1)));
    assert_eq!((&item["maybe"]["maxLength"], &item["maybe"]["nullable"]), (&json!(63), &json!(true)));
    let server = Server::with::<Bounded>().await;
    let good = object("Bounded", "b", &json!({ "items": [{ "name": "x".repeat(63), "maybe": null }] }));
    server.try_create(&good).await.unwrap();
    for (path, value) in [("name", json!("")), ("name", json!("x".repeat(64))), ("maybe", json!("x".repeat(64)))] {
        let bad = with(good.clone(), &format!("/spec/items/0/{path}"), value);
        assert!(server.try_create(&bad).await.is_err(), "{bad}");
    }
}
