//! What replaces the coordinator's Pod, and what does not. Tests are named after the cases they show.

use super::{COORDINATOR, NAME, example, pipeline, running, with};
use e2e_tests::{Arena, MANAGER, eventually};
use http::Request;
use k8s_openapi::api::apps::v1::{ControllerRevision, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use kube::api::{ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use urutau_core::KindId;
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

const SETS: KindId = KindId::of::<StatefulSet>();
const PIPELINES: KindId = KindId::of::<CDCPipeline>();
const CONFIG: KindId = KindId::of::<ConfigMap>();
const RESTARTED: &str = "/spec/template/metadata/annotations/kubectl.kubernetes.io~1restartedAt";

/// How often the coordinator was rolled out, and the Pod that came of it. Every change of a `StatefulSet`'s template
/// is counted in its revisions, one that only brings back an earlier template too.
async fn rollouts(arena: &Arena) -> (i64, Option<String>) {
    let set = eventually("the end of the rollout", || async {
        let set = arena.api::<StatefulSet>().get(COORDINATOR).await.unwrap();
        let status = set.status.clone().unwrap_or_default();
        let seen = status.observed_generation == set.metadata.generation;
        let over = status.current_revision == status.update_revision && status.ready_replicas == Some(1);
        if seen && over { Ok(set) } else { Err(status) }
    })
    .await;
    let revisions = arena.api::<ControllerRevision>().list(&ListParams::default()).await.unwrap();
    let ours = revisions.items.into_iter().filter(|revision| {
        revision.metadata.owner_references.iter().flatten().any(|owner| Some(&owner.uid) == set.metadata.uid.as_ref())
    });
    (ours.map(|revision| revision.revision).max().unwrap_or_default(), pod(arena).await)
}

async fn pod(arena: &Arena) -> Option<String> {
    arena.uid(&KindId::of::<Pod>(), &format!("{COORDINATOR}-0")).await
}

/// Waits until everything that follows from what was done is done, and sees that it was so many rollouts.
async fn rolled(arena: &Arena, times: i64, before: (i64, Option<String>), why: &str) {
    arena.ready::<PipelineObjects>(NAME).await;
    arena.settled(arena.mark().await).await;
    let after = rollouts(arena).await;
    assert_eq!(after.0 - before.0, times, "{why}: rollouts");
    assert_eq!(after.1 == before.1, times == 0, "{why}: Pods {before:?} and {after:?}");
}

/// What `kubectl rollout restart` sends.
async fn restart(arena: &Arena, at: &str) {
    let patch = json!({ "spec": { "template": { "metadata": { "annotations": {
        "kubectl.kubernetes.io/restartedAt": at,
    } } } } });
    arena.try_patch("kubectl-rollout", &SETS, COORDINATOR, &Patch::Strategic(patch)).await.unwrap();
}

/// <https://github.com/open-telemetry/opentelemetry-operator/issues/1300>: an operator that owns all annotations of the
/// template takes the one of `kubectl rollout restart` away, and by that rolls once more.
#[tokio::test]
async fn k_08_a_rollout_restart_is_one_rollout_and_stays() {
    let (arena, operator) = running("k-08").await;
    let mark = arena.mark().await;
    let before = rollouts(&arena).await;
    arena.next_second().await;
    restart(&arena, "2026-01-01T00:00:00Z").await;
    rolled(&arena, 1, before, "a restart").await;
    let writes = arena.writes_since(mark).await;
    assert!(writes.iter().all(|request| request.subresource == "status"), "it is nothing of ours: {writes:#?}");

    // It outlives a start of the operator, and a later change that writes the same template.
    let before = rollouts(&arena).await;
    operator.stop().await;
    let _operator = arena.operator::<PipelineObjects, OperatorRules>(Settings::default()).await;
    rolled(&arena, 0, before.clone(), "a start").await;
    arena.apply(&with("/spec/image", json!("ghcr.io/you/urutau:v1.2.4"))).await;
    arena
        .becomes(&SETS, COORDINATOR, "/spec/template/spec/containers/0/image", &json!("ghcr.io/you/urutau:v1.2.4"))
        .await;
    rolled(&arena, 1, before, "another image").await;
    assert_eq!(arena.at(&SETS, COORDINATOR, RESTARTED).await, "2026-01-01T00:00:00Z");

    // Once more is one more.
    let before = rollouts(&arena).await;
    restart(&arena, "2026-01-02T00:00:00Z").await;
    rolled(&arena, 1, before, "another restart").await;
    assert_eq!(arena.at(&SETS, COORDINATOR, RESTARTED).await, "2026-01-02T00:00:00Z");
    assert_eq!(arena.refused().await, [""; 0]);
}

/// A Secret of the example with a label, and with a value where one is given.
fn secret(label: &str, uri: Option<&str>) -> Value {
    let mut secret = example().into_iter().find(|document| document["metadata"]["name"] == "shop-mysql-creds").unwrap();
    secret["metadata"]["labels"] = json!({ "l": label });
    if let Some(uri) = uri {
        secret["stringData"]["uri"] = json!(uri);
    }
    secret
}

/// The same JSON with the fields of every object in the reverse order.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut fields: Vec<_> =
                map.iter().map(|(key, value)| format!("{}:{}", json!(key), reversed(value))).collect();
            fields.sort();
            fields.reverse();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(reversed).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

/// Puts an object in its place with its fields in reverse order.
async fn put_reversed(arena: &Arena, root: &str, plural: &str, name: &str, object: &Value) {
    let path = format!("{root}/namespaces/{}/{plural}/{name}", arena.namespace);
    let request = Request::put(path).header("content-type", "application/json");
    arena.admin.request::<Value>(request.body(reversed(object).into_bytes()).unwrap()).await.unwrap();
}

/// <https://github.com/redpanda-data/redpanda/issues/4016>: a change of the configuration has to roll the Pods, once, and
/// nothing else has to.
#[tokio::test]
async fn k_09_the_pod_is_rolled_once_for_what_it_reads_and_for_nothing_else() {
    let (arena, operator) = running("k-09").await;
    let before = rollouts(&arena).await;
    arena.apply(&with("/spec/definition/inline/tables/0/writeMode", json!("upsert"))).await;
    eventually("a new document", || async {
        let document = arena.at(&CONFIG, COORDINATOR, "/data/pipeline.yaml").await;
        if document.to_string().contains("writeMode: upsert") { Ok(()) } else { Err(document) }
    })
    .await;
    rolled(&arena, 1, before, "data").await;

    let before = rollouts(&arena).await;
    let label = json!({ "metadata": { "labels": { "l": "1" }, "annotations": { "a": "1" } } });
    arena.merge(MANAGER, &CONFIG, COORDINATOR, label).await;
    rolled(&arena, 0, before.clone(), "a label of the ConfigMap").await;

    let mut live = serde_json::to_value(arena.any(&PIPELINES).get(NAME).await.unwrap()).unwrap();
    live["metadata"]["annotations"] = json!({ "seen": "reversed" });
    put_reversed(&arena, "/apis/urutau.io/v1alpha1", "cdcpipelines", NAME, &live).await;
    rolled(&arena, 0, before.clone(), "another order of the fields").await;
    // The data of a Secret is a map, too.
    let mut creds = serde_json::to_value(arena.api::<Secret>().get("polaris-creds").await.unwrap()).unwrap();
    creds["metadata"]["labels"] = json!({ "l": "1" });
    put_reversed(&arena, "/api/v1", "secrets", "polaris-creds", &creds).await;
    rolled(&arena, 0, before.clone(), "another order of a Secret's keys").await;

    arena.apply(&secret("1", None)).await;
    rolled(&arena, 0, before.clone(), "a label of a Secret").await;
    let boot = "/spec/template/metadata/annotations/urutau.io~1boot-hash";
    let hash = arena.at(&SETS, COORDINATOR, boot).await;
    arena.apply(&secret("1", Some("mysql://repl:new@mysql:3306/shop"))).await;
    eventually("another hash", || async {
        let now = arena.at(&SETS, COORDINATOR, boot).await;
        if now == hash { Err(now) } else { Ok(()) }
    })
    .await;
    rolled(&arena, 1, before, "the data of a Secret").await;

    // Started again, as by an upgrade, and with no record of what was written before. That the hash itself is the same in
    // each release is seen where it is made.
    let before = rollouts(&arena).await;
    operator.stop().await;
    let forgotten = Patch::Merge(json!({ "status": { "owned": null } }));
    arena.any(&PIPELINES).patch_subresource("status", NAME, &PatchParams::default(), &forgotten).await.unwrap();
    let mark = arena.mark().await;
    let _operator = arena.operator::<PipelineObjects, OperatorRules>(Settings::default()).await;
    eventually("a write of the StatefulSet", || async {
        let requests = arena.writes_since(mark).await;
        if requests.iter().any(|request| request.resource == "statefulsets") { Ok(()) } else { Err(requests) }
    })
    .await;
    rolled(&arena, 0, before, "an upgrade").await;
    assert_eq!(arena.refused().await, [""; 0]);
}

/// <https://github.com/strimzi/strimzi-kafka-operator/issues/2558>: a label of the owner that is copied to the Pods
/// restarts them.
#[tokio::test]
async fn k_10_a_label_of_the_pipeline_restarts_nothing_and_a_declared_change_does() {
    let (arena, _operator) = running("k-10").await;
    let before = rollouts(&arena).await;
    let mark = arena.mark().await;
    let mut labelled = pipeline();
    labelled["metadata"]["labels"] = json!({ "ci.example/sha": "1" });
    labelled["metadata"]["annotations"] = json!({ "ci.example/sha": "1" });
    arena.apply(&labelled).await;
    rolled(&arena, 0, before.clone(), "a label").await;
    assert!(arena.writes_since(mark).await.is_empty(), "nothing of it is written anywhere");
    assert!(!arena.at(&SETS, COORDINATOR, "").await.to_string().contains("ci.example"));

    labelled["spec"]["logLevel"] = json!("debug");
    arena.apply(&labelled).await;
    eventually("the new argument", || async {
        let args = arena.at(&SETS, COORDINATOR, "/spec/template/spec/containers/0/args").await;
        if args.to_string().contains("debug") { Ok(()) } else { Err(args) }
    })
    .await;
    rolled(&arena, 1, before, "another log level").await;
    assert_eq!(arena.refused().await, [""; 0]);
}
