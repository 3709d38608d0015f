//! The urutau operator, on its example.

mod converge;
mod removal;
mod repair;
mod rollouts;
mod waiting;

use e2e_tests::{Arena, Operator};
use serde_json::{Value, json};
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

pub(crate) const NAME: &str = "shop-mysql";
pub(crate) const COORDINATOR: &str = "shop-mysql-coordinator";

/// The documents of the example.
pub(crate) fn example() -> Vec<Value> {
    let text = include_str!("../../../../../examples/shop-mysql.yaml");
    serde_saphyr::from_multiple(text).unwrap()
}

pub(crate) fn pipeline() -> Value {
    example().into_iter().find(|document| document["kind"] == "CDCPipeline").unwrap()
}

/// A namespace with the operator and the Secrets of the example.
async fn arena(name: &str) -> (Arena, Operator) {
    let arena = Arena::new(name).await;
    arena.install::<CDCPipeline>().await;
    let operator = arena.operator::<PipelineObjects, OperatorRules>(Settings::default()).await;
    for document in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(document).await;
    }
    (arena, operator)
}

/// The same with the example running.
pub(crate) async fn running(name: &str) -> (Arena, Operator) {
    let (arena, operator) = arena(name).await;
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    (arena, operator)
}

/// The pipeline with one value replaced, by its JSON pointer; null removes it.
pub(crate) fn with(path: &str, value: Value) -> Value {
    let mut pipeline = pipeline();
    let (parent, field) = path.rsplit_once('/').unwrap();
    let parent = pipeline.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(map), Value::Null) => drop(map.remove(field)),
        (Value::Object(map), value) => drop(map.insert(field.to_owned(), value)),
        (Value::Array(list), Value::Null) => drop(list.remove(field.parse::<usize>().unwrap())),
        (parent, _) => panic!("{parent} has no fields"),
    }
    pipeline
}

#[test]
fn with_replaces_and_removes() {
    assert_eq!(with("/spec/image", json!("x"))["spec"]["image"], "x");
    assert!(with("/spec/image", Value::Null)["spec"].get("image").is_none());
}
