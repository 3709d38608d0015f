//! What an operator does most, without an API server: `cargo bench -p bench`.

// A benchmark of something else than it says is worse than none.
#![allow(clippy::expect_used)]

#[path = "../src/feed.rs"]
#[allow(dead_code)]
mod feed;

use criterion::{Criterion, criterion_group, criterion_main};
use feed::{Feed, FeedSpec, Objects};
use serde_json::{Value, json};
use std::hint::black_box;
use urutau_core::plan::Content;
use urutau_core::{Declare, Inputs, OwnedSet, RuleSet, hot_paths};

fn feed() -> Feed {
    let mut feed = Feed::new("shop", FeedSpec::sample());
    feed.metadata.namespace = Some("feeds".to_owned());
    feed.metadata.uid = Some("0a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5".to_owned());
    feed
}

/// The bodies of everything that it owns.
fn bodies(feed: &Feed) -> Vec<Value> {
    let set = Objects::declare(feed, &Inputs::new(()).in_namespace("feeds"));
    let plan = set.and_then(|set| set.plan("shop", "feeds")).expect("a set");
    let body = |content| match content {
        Content::Object(item) => Some(item.body),
        Content::Waiting(_) => None,
    };
    plan.entries.into_iter().filter_map(|entry| body(entry.content)).collect()
}

/// The fields of a body as a manager claims them, lists as one.
fn claims(value: &Value) -> Value {
    let Value::Object(fields) = value else { return json!({}) };
    fields.iter().map(|(field, value)| (format!("f:{field}"), claims(value))).collect()
}

/// An object as a watch shows it.
fn live(body: &Value) -> String {
    let mut object = body.clone();
    let entry = |manager: &str, subresource: &str| {
        json!({
            "manager": manager, "operation": "Apply", "apiVersion": "v1", "time": "2026-01-01T00:00:00Z",
            "subresource": subresource, "fieldsType": "FieldsV1", "fieldsV1": claims(body),
        })
    };
    object["metadata"]["uid"] = json!("1a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5");
    object["metadata"]["resourceVersion"] = json!("12345");
    object["metadata"]["managedFields"] = json!([entry("feed-operator", ""), entry("somebody", "status")]);
    object.to_string()
}

fn benches(c: &mut Criterion) {
    let feed = feed();
    let bodies = bodies(&feed);
    let body = bodies.iter().find(|body| body["kind"] == "StatefulSet").expect("a StatefulSet");
    let seen = live(body);
    let owner = live(&json!({"apiVersion": "bench.urutau.io/v1", "kind": "Feed", "spec": feed.spec,
        "metadata": {"name": "shop", "namespace": "feeds"}, "status": {"observedGeneration": 1}}));
    let kept = hot_paths::KeptOwner::seen(&owner, "feed-operator").expect("an owner");
    let references = json!([{"uid": feed.metadata.uid, "kind": "Feed", "name": "shop", "controller": true}]);
    assert!(bodies.len() == 6 && hot_paths::read_object(&seen) == 12345 && hot_paths::read_owner(&owner) == 12345);
    assert!(kept.typed::<Feed>().is_some_and(|kept| kept.spec.document == feed.spec.document));
    assert!(hot_paths::send(body, &references) > 1000);
    c.bench_function("declare and plan six objects", |b| b.iter(|| self::bodies(black_box(&feed))));
    c.bench_function("hash a StatefulSet", |b| b.iter(|| hot_paths::hash(black_box(body))));
    c.bench_function("send a StatefulSet", |b| b.iter(|| hot_paths::send(black_box(body), &references)));
    c.bench_function("read a StatefulSet that is watched", |b| b.iter(|| hot_paths::read_object(black_box(&seen))));
    c.bench_function("read an owner that is watched", |b| b.iter(|| hot_paths::read_owner(black_box(&owner))));
    c.bench_function("read an owner that is kept", |b| b.iter(|| black_box(&kept).typed::<Feed>()));
    c.bench_function("the rules of an operator", |b| b.iter(|| black_box(feed::OperatorRules::RULES).policy_rules()));
}

criterion_group!(all, benches);
criterion_main!(all);
