//! What a real API server makes of CRDs: the one of the `CDCPipeline`, and those that authors may write.
// Columns of `#[kube(...)]` may well have one type.
#![allow(clippy::duplicated_attributes)]

mod accepted;
mod bounds;
mod defaults;
mod enums;
mod imported;
mod open;
mod rules;
mod server;
mod status;
mod stored;
mod subresources;

use serde_json::{Value, json};

/// The pipeline of the example.
fn example() -> Value {
    let text = include_str!("../../../../../examples/shop-mysql.yaml");
    let documents: Vec<Value> = serde_saphyr::from_multiple(text).unwrap();
    documents.into_iter().find(|document| document["kind"] == "CDCPipeline").unwrap()
}

/// An object with a value at a JSON pointer; what is above it is made, and null removes it.
fn with(mut object: Value, pointer: &str, value: Value) -> Value {
    let (parents, last) = pointer.rsplit_once('/').unwrap();
    let parent = parents.split('/').skip(1).fold(&mut object, |parent, name| match name.parse::<usize>() {
        Ok(index) => &mut parent[index],
        Err(_) => &mut parent[name],
    });
    if value.is_null() {
        parent.as_object_mut().unwrap().remove(last);
    } else {
        parent[last] = value;
    }
    object
}

/// A custom resource of the tests' own group.
fn object(kind: &str, name: &str, spec: &Value) -> Value {
    json!({ "apiVersion": "crd.test/v1", "kind": kind, "metadata": { "name": name }, "spec": spec })
}

#[test]
fn with_sets_and_removes() {
    let object = with(json!({ "a": 1 }), "/b/c", json!(2));
    assert_eq!(object, json!({ "a": 1, "b": { "c": 2 } }));
    assert_eq!(with(object, "/a", Value::Null), json!({ "b": { "c": 2 } }));
}
