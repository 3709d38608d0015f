//! What is stored is what was sent, and what is read is what is stored.

use super::server::Server;
use super::{example, with};
use serde_json::{Value, json};
use urutau_operator::api::CDCPipeline;

/// A document with fields that nobody knows at every depth, and values of every kind in them.
fn strange() -> Value {
    json!({
        "pipeline": "shop", "x": { "y": [{ "z": null }, [], {}, [[1]]], "": "empty key", "a.b/c": true },
        "numbers": [0, -1, 1.5, 1e300, 9_007_199_254_740_993_i64, i64::MAX],
        "texts": ["", "null", "\u{1F600}", "a\nb", "{{ .Values.x }}", "$(X)"],
        "source": { "kind": "mysql", "unknown": { "deep": { "deeper": [1, { "deepest": null }] } } },
        "sink": { "maintenance": { "compaction": { "unknown": 1 }, "unknown": {} } },
        "tables": [{ "target": "t", "unknown": [], "workers": { "unknown": "x" }, "columns": { "unknown": "x" } }, {}],
        "__proto__": 1, "metadata": { "name": 5 }, "apiVersion": 7, "kind": [],
    })
}

#[tokio::test]
async fn unknown_fields_of_the_document_are_kept_at_any_depth() {
    let server = Server::with::<CDCPipeline>().await;
    let sent = with(example(), "/spec/definition/inline", strange());
    let stored = server.create(&sent).await.unwrap();
    assert_eq!(stored["spec"]["definition"]["inline"], strange());
    assert_eq!(server.get("shop-mysql").await["spec"]["definition"]["inline"], strange());
    let read: CDCPipeline = serde_json::from_value(stored).unwrap();
    assert_eq!(read.spec.definition.inline.as_ref().unwrap().as_json(), &strange());
    let other = with(example(), "/spec/definition/other", json!({ "kept": [1] }));
    let other = with(other, "/metadata/name", json!("other"));
    assert_eq!(server.create(&other).await.unwrap()["spec"]["definition"]["other"], json!({ "kept": [1] }));
}

#[tokio::test]
async fn unknown_fields_elsewhere_are_dropped() {
    let server = Server::with::<CDCPipeline>().await;
    let sent = with(with(example(), "/spec/worker/cpuOverhead", json!("1")), "/spec/imgae", json!("x"));
    let stored = server.create(&sent).await.unwrap();
    assert!(stored["spec"].get("imgae").is_none() && stored["spec"]["worker"].get("cpuOverhead").is_none());
}

#[tokio::test]
async fn what_is_stored_goes_through_the_type_and_back() {
    let server = Server::with::<CDCPipeline>().await;
    let full = json!({
        "image": "a:1", "logLevel": "debug", "suspend": true,
        "secrets": { "source": "a", "catalog": "b", "ssh": "c" },
        "worker": { "cpu": "1", "cpu_overhead": "500m", "memory": "1Gi", "memory_overhead": "512Mi", "metricsAddr": ":1" },
        "coordinator": {
            "cpu": "250m", "memory": "1e9", "metricsAddr": "0.0.0.0:9091",
            "tls": { "serverSecret": "s", "clientSecret": "c" },
            "state": { "size": "1Gi", "storageClassName": "fast" },
            "snapshot": { "chunkSize": 1, "maxParallelChunks": 2 },
            "supervision": { "ackTimeout": "1h30m", "workerDeliveryTimeout": "1.5s", "maxConsecutiveCrashes": 3 },
        },
        "definition": { "inline": strange() },
    });
    let cases = [("full", full), ("example", example()["spec"].take()), ("least", json!({}))];
    for (name, spec) in cases {
        let sent = with(with(example(), "/metadata/name", json!(name)), "/spec", spec);
        let stored = server.create(&sent).await.unwrap();
        let read: CDCPipeline = serde_json::from_value(stored.clone()).unwrap();
        let mut written = serde_json::to_value(&read).unwrap();
        assert_eq!(written["spec"], stored["spec"], "{name}");
        // And what we write is stored as it was, with nothing dropped or filled in.
        written["metadata"] = json!({ "name": format!("{name}-again") });
        let again = server.create(&written).await.unwrap();
        assert_eq!(again["spec"], stored["spec"], "{name}");
    }
}

/// The API server keeps the form that was written; the type has one form for each amount, and reads its own again.
#[tokio::test]
async fn quantities_mean_the_same_in_any_form() {
    let server = Server::with::<CDCPipeline>().await;
    let worker = json!({ "cpu": 2, "cpu_overhead": 0, "memory": "0.5Gi", "memory_overhead": "1e3" });
    let stored = server.create(&with(example(), "/spec/worker", worker.clone())).await.unwrap();
    assert_eq!(stored["spec"]["worker"], worker);
    let read: CDCPipeline = serde_json::from_value(stored).unwrap();
    let mut written = serde_json::to_value(&read).unwrap();
    assert_eq!(
        written["spec"]["worker"],
        json!({ "cpu": "2", "cpu_overhead": "0", "memory": "512Mi", "memory_overhead": "1e3" })
    );
    written["metadata"] = json!({ "name": "again" });
    let again: CDCPipeline = serde_json::from_value(server.create(&written).await.unwrap()).unwrap();
    assert_eq!(again.spec, read.spec);
}
