//! Each rule of the `CDCPipeline`'s schema: it fires, with its message, and lets good values pass.

use super::server::Server;
use super::{example, with};
use serde_json::{Value, json};
use urutau_operator::api::CDCPipeline;

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "most of it is a table")]
async fn bad_values_are_refused_by_path_and_with_what_to_write() {
    let name = "metadata.name: a lower case letter, then lower case letters, digits and dashes, no dash at the end";
    let loopback = "the probes can't reach a loopback address: write only the port";
    let cases: Vec<(&str, Value, &str)> = vec![
        (
            "/metadata/name",
            json!("x".repeat(41)),
            "metadata.name: at most 40 characters, as everything else is named after it",
        ),
        ("/metadata/name", json!("1shop"), name),
        ("/metadata/name", json!("shop.mysql"), name),
        (
            "/spec/definition/image",
            json!("x"),
            "definition.image is reserved and not supported yet: write the document under definition.inline",
        ),
        (
            "/spec/definition/s3",
            json!("s3://x"),
            "definition.s3 is reserved and not supported yet: write the document under definition.inline",
        ),
        ("/spec/definition/image", json!(""), "definition.image is reserved and not supported yet"),
        (
            "/spec/logLevel",
            json!("warning"),
            "spec.logLevel: Unsupported value: \"warning\": supported values: \"debug\", \"info\", \"warn\", \"error\"",
        ),
        ("/spec/image", json!(5), "spec.image: Invalid value: \"integer\""),
        ("/spec/suspend", json!("yes"), "spec.suspend: Invalid value: \"string\""),
        ("/spec/coordinator/metricsAddr", json!("localhost:9090"), loopback),
        ("/spec/coordinator/metricsAddr", json!("LocalHost:9090"), loopback),
        ("/spec/coordinator/metricsAddr", json!("127.0.0.1:9090"), loopback),
        ("/spec/coordinator/metricsAddr", json!("127.1.2.3:9090"), loopback),
        ("/spec/coordinator/metricsAddr", json!("[::1]:9090"), loopback),
        (
            "/spec/coordinator/metricsAddr",
            json!("9090"),
            "spec.coordinator.metricsAddr: Invalid value: \"9090\": spec.coordinator.metricsAddr in body should match",
        ),
        (
            "/spec/coordinator/metricsAddr",
            json!(format!("{}:1", "x".repeat(260))),
            "spec.coordinator.metricsAddr: Too long: may not be more than 260 bytes",
        ),
        ("/spec/worker/metricsAddr", json!(":99999999"), "spec.worker.metricsAddr in body should match"),
        ("/spec/coordinator/tls", json!({ "serverSecret": "a" }), "spec.coordinator.tls.clientSecret: Required value"),
        ("/spec/coordinator/tls", json!({ "clientSecret": "a" }), "spec.coordinator.tls.serverSecret: Required value"),
        (
            "/spec/coordinator/tls",
            json!({ "serverSecret": "a", "clientSecret": "A_b" }),
            "spec.coordinator.tls.clientSecret in body should match",
        ),
        (
            "/spec/coordinator/snapshot",
            json!({ "chunkSize": 0 }),
            "spec.coordinator.snapshot.chunkSize in body should be greater than or equal to 1",
        ),
        (
            "/spec/coordinator/snapshot",
            json!({ "maxParallelChunks": -1 }),
            "spec.coordinator.snapshot.maxParallelChunks in body should be greater than or equal to 1",
        ),
        (
            "/spec/coordinator/snapshot",
            json!({ "chunkSize": 1.5 }),
            "spec.coordinator.snapshot.chunkSize in body must be of type int64",
        ),
        (
            "/spec/coordinator/supervision",
            json!({ "maxConsecutiveCrashes": 0 }),
            "spec.coordinator.supervision.maxConsecutiveCrashes in body should be greater than or equal to 1",
        ),
        (
            "/spec/coordinator/supervision",
            json!({ "ackTimeout": "30" }),
            "spec.coordinator.supervision.ackTimeout in body should match",
        ),
        (
            "/spec/coordinator/supervision",
            json!({ "ackTimeout": "0s" }),
            "spec.coordinator.supervision.ackTimeout: Invalid value: \"0s\": must be longer than no time at all",
        ),
        (
            "/spec/coordinator/supervision",
            json!({ "workerDeliveryTimeout": "0h0m" }),
            "spec.coordinator.supervision.workerDeliveryTimeout: Invalid value: \"0h0m\": must be longer than no time at all",
        ),
        ("/spec/coordinator/state", json!({}), "spec.coordinator.state.size: Required value"),
        ("/spec/coordinator/state", json!({ "size": "1 Gi" }), "spec.coordinator.state.size in body should match"),
        ("/spec/coordinator/cpu", json!("1 core"), "spec.coordinator.cpu in body should match"),
        ("/spec/coordinator/memory", json!("-1Gi"), "spec.coordinator.memory in body should match"),
        ("/spec/worker/cpu", json!(-1), "spec.worker.cpu in body should be greater than or equal to 0"),
        ("/spec/worker/memory", json!(true), "spec.worker.memory: Invalid value: \"boolean\""),
        ("/spec/worker/memory_overhead", json!("512MiB"), "spec.worker.memory_overhead in body should match"),
        ("/spec/secrets/source", json!("My_Secret"), "spec.secrets.source in body should match"),
        (
            "/spec/secrets/catalog",
            json!("x".repeat(254)),
            "spec.secrets.catalog: Too long: may not be more than 253 bytes",
        ),
        ("/spec/definition/inline", json!([]), "spec.definition.inline: Invalid value: \"array\""),
        ("/spec/definition/inline/tables", json!({}), "spec.definition.inline.tables: Invalid value: \"object\""),
        (
            "/spec/definition/inline/tables/0/target",
            json!(5),
            "spec.definition.inline.tables[0].target: Invalid value: \"integer\"",
        ),
        ("/spec", json!([]), "spec: Invalid value: \"array\""),
    ];
    let server = Server::with::<CDCPipeline>().await;
    for (path, value, expected) in cases {
        let answer = server.try_create(&with(example(), path, value.clone())).await;
        let Err(message) = answer else { panic!("{path}: {value} was taken") };
        assert!(message.contains(expected), "{path}: {value}: {message}");
    }
    let message = server.try_create(&with(example(), "/spec", Value::Null)).await.unwrap_err();
    assert!(message.contains("spec: Required value"), "{message}");
}

#[tokio::test]
async fn good_values_pass() {
    let cases: Vec<(&str, Value)> = vec![
        ("/metadata/name", json!("x".repeat(40))),
        ("/metadata/name", json!("a")),
        ("/metadata/name", json!("a-1")),
        ("/spec/image", json!("")),
        ("/spec/logLevel", json!("debug")),
        ("/spec/suspend", json!(true)),
        ("/spec/coordinator", json!({})),
        ("/spec/coordinator/metricsAddr", json!("0.0.0.0:9090")),
        ("/spec/coordinator/metricsAddr", json!("[::]:9090")),
        ("/spec/coordinator/metricsAddr", json!("[fe80::1]:9090")),
        ("/spec/coordinator/metricsAddr", json!("localhost.example:9090")),
        ("/spec/coordinator/tls", json!({ "serverSecret": "a.b-c", "clientSecret": "a" })),
        ("/spec/coordinator/snapshot", json!({ "chunkSize": 1, "maxParallelChunks": u32::MAX })),
        (
            "/spec/coordinator/supervision",
            json!({ "ackTimeout": "1.5h30m", "workerDeliveryTimeout": "500ms", "maxConsecutiveCrashes": 1 }),
        ),
        ("/spec/coordinator/state", json!({ "size": "10Gi", "storageClassName": "fast.ssd" })),
        ("/spec/coordinator/state", json!({ "size": 1_000_000 })),
        ("/spec/coordinator/cpu", json!(2)),
        ("/spec/coordinator/cpu", json!("0.5")),
        ("/spec/worker/cpu", json!("100m")),
        ("/spec/worker/memory", json!("1e9")),
        ("/spec/worker/memory", json!("1.5Gi")),
        ("/spec/worker/metricsAddr", json!("localhost:9091")),
        ("/spec/secrets", json!({})),
        ("/spec/definition", json!({})),
        ("/spec/definition/inline", json!({})),
        // What is wrong in the document is for whoever can tell all of it at once.
        ("/spec/definition/inline/source/kind", json!("oracle")),
        ("/spec/definition/inline/tables/0/workers/number", json!(-5)),
    ];
    let server = Server::with::<CDCPipeline>().await;
    for (path, value) in cases {
        if let Err(message) = server.try_create(&with(example(), path, value.clone())).await {
            panic!("{path}: {value}: {message}");
        }
    }
}

/// What templates leave behind where a value is empty.
#[tokio::test]
async fn nulls_are_taken_where_a_value_may_be_absent() {
    let server = Server::with::<CDCPipeline>().await;
    let mut pipeline = example();
    pipeline["spec"] = json!({
        "image": null,
        "logLevel": null,
        "suspend": null,
        "secrets": { "source": null, "catalog": null, "ssh": null },
        "worker": { "cpu": null, "cpu_overhead": null, "memory": null, "memory_overhead": null, "metricsAddr": null },
        "coordinator": {
            "cpu": null, "memory": null, "metricsAddr": null, "tls": null, "state": null,
            "snapshot": { "chunkSize": null, "maxParallelChunks": null },
            "supervision": { "ackTimeout": null, "workerDeliveryTimeout": null, "maxConsecutiveCrashes": null },
        },
        "definition": { "inline": null, "image": null, "s3": null },
    });
    let stored = server.create(&pipeline).await.unwrap();
    assert_eq!(stored["spec"]["coordinator"]["metricsAddr"], ":9090");
    assert_eq!(stored["spec"]["suspend"], false);
    let read: CDCPipeline = serde_json::from_value(stored).unwrap();
    assert_eq!(read.spec, urutau_operator::api::CDCPipelineSpec::default());
    pipeline["spec"] = json!({ "coordinator": null, "definition": null, "secrets": null, "worker": null });
    pipeline["metadata"]["name"] = json!("emptier");
    let stored = server.create(&pipeline).await.unwrap();
    let read: CDCPipeline = serde_json::from_value(stored).unwrap();
    assert_eq!(read.spec, urutau_operator::api::CDCPipelineSpec::default());
}

/// A rule on an optional field alone would not see that it comes or goes.
#[tokio::test]
async fn h_10_the_state_can_not_be_changed_added_or_removed() {
    let server = Server::with::<CDCPipeline>().await;
    let named = |name: &str| with(example(), "/metadata/name", json!(name));
    let with_state = with(named("with"), "/spec/coordinator/state", json!({ "size": "1Gi" }));
    let none = named("without");
    server.create(&with_state).await.unwrap();
    server.create(&none).await.unwrap();
    let changed =
        "spec.coordinator.state: Invalid value: can't be changed once set: delete the pipeline and create it anew";
    let added =
        "spec.coordinator: Invalid value: state can't be added or removed: delete the pipeline and create it anew";
    let cases = [
        (with(with_state.clone(), "/spec/coordinator/state/size", json!("2Gi")), changed),
        (with(with_state.clone(), "/spec/coordinator/state/storageClassName", json!("fast")), changed),
        (with(with_state.clone(), "/spec/coordinator/state", Value::Null), added),
        (with(with_state.clone(), "/spec/coordinator", Value::Null), added),
        (with(none.clone(), "/spec/coordinator/state", json!({ "size": "1Gi" })), added),
    ];
    for (object, expected) in cases {
        let message = server.replace(&object).await.unwrap_err();
        assert!(message.contains(expected), "{message}");
    }
    for object in
        [with(with_state, "/spec/coordinator/cpu", json!("1")), with(none, "/spec/coordinator/cpu", json!("1"))]
    {
        server.replace(&object).await.unwrap();
    }
}
