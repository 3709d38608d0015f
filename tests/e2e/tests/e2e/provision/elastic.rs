//! Tables whose number of workers belongs to KEDA, which the tests play.

use super::{Container, POD, deployments, pod};
use crate::pipeline::{NAME, example, with};
use e2e_tests::{Arena, Operator, condition_of, eventually, keda, quiet};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::Pod;
use kube::Api;
use kube::api::{DynamicObject, ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use urutau_core::KindId;
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::{OperatorRules, PipelineObjects, ScaledObject, Settings};

const PIPELINE: KindId = KindId::of::<CDCPipeline>();
/// The `StatefulSet` of the table that may grow, and its `ScaledObject`.
const SET: &str = "shop-mysql-raw-orders";

/// The operator with autoscaling.
fn settings(threshold: &str) -> Settings {
    Settings::default().autoscaled("http://prometheus.monitoring.svc:9090", threshold)
}

/// The example, with a table that may grow from 2 to 5 workers.
fn elastic() -> Value {
    with("/spec/definition/inline/tables/0/workers", json!({ "number": 2, "max": 5, "cpu": "2", "memory": "4Gi" }))
}

/// The example with that table is running.
async fn running(arena: &Arena) -> Operator {
    for document in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(document).await;
    }
    let operator = arena.operator::<PipelineObjects, OperatorRules>(settings("30")).await;
    arena.apply(&elastic()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    operator
}

fn sets(arena: &Arena) -> Api<StatefulSet> {
    arena.api()
}

fn scalers(arena: &Arena) -> Api<DynamicObject> {
    arena.any(&KindId::of::<ScaledObject>())
}

async fn replicas(arena: &Arena) -> Option<i32> {
    sets(arena).get(SET).await.unwrap().spec.unwrap().replicas
}

/// As KEDA does it, by the autoscaler that it makes.
async fn scale(arena: &Arena, replicas: i32) {
    let change = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
    let params = PatchParams { field_manager: Some("kube-controller-manager".to_owned()), ..PatchParams::default() };
    sets(arena).patch_scale(SET, &params, &change).await.unwrap();
}

/// The `--name` that each Pod of the set is started with, its index filled in as the kubelet does it.
async fn names(arena: &Arena) -> Vec<String> {
    let of_set = ListParams::default().labels(&format!("urutau.io/worker={SET}"));
    let pods = arena.api::<Pod>().list(&of_set).await.unwrap();
    let mut names: Vec<String> = pods
        .into_iter()
        .map(|pod| {
            let index = pod.metadata.labels.unwrap()["apps.kubernetes.io/pod-index"].clone();
            let worker = pod.spec.unwrap().containers.remove(0);
            let from = worker.env.unwrap().into_iter().find(|env| env.name == "POD_INDEX").unwrap();
            let from = from.value_from.unwrap().field_ref.unwrap().field_path;
            assert_eq!(from, "metadata.labels['apps.kubernetes.io/pod-index']");
            let args = worker.args.unwrap();
            let at = args.iter().position(|argument| argument == "--name").unwrap();
            args[at + 1].replace("$(POD_INDEX)", &index)
        })
        .collect();
    names.sort();
    names
}

async fn until_named(arena: &Arena, number: usize) {
    let wanted: Vec<String> = (0..number).map(|index| format!("shop-mysql-raw.orders-{index}")).collect();
    eventually("workers by their names", || async {
        let names = names(arena).await;
        if names == wanted { Ok(()) } else { Err(names) }
    })
    .await;
}

#[tokio::test]
async fn k_01_what_keda_scales_stays_as_keda_says() {
    let arena = Arena::new("elastic").await;
    let operator = running(&arena).await;
    arena.condition(&PIPELINE, NAME, "AutoscalingReady", "True").await;
    let scaler = scalers(&arena).get(SET).await.unwrap();
    assert_eq!(
        (&scaler.data["spec"]["minReplicaCount"], &scaler.data["spec"]["maxReplicaCount"]),
        (&json!(2), &json!(5))
    );
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    assert_eq!(container.provision().await, "2 created, 0 updated, 0 unchanged\n");
    assert_eq!(deployments(&arena).await.into_keys().collect::<Vec<_>>(), ["shop-mysql-raw.customers-0"]);
    assert_eq!(replicas(&arena).await, Some(2));
    until_named(&arena, 2).await;
    scale(&arena, 5).await;
    until_named(&arena, 5).await;

    // Over resyncs of the operator, which come every two seconds, and a rerun of the coordinator.
    let writes = || async {
        let now = replicas(&arena).await;
        if now == Some(5) { Vec::new() } else { vec![now] }
    };
    quiet("other number of replicas", Duration::from_secs(5), writes).await;
    assert_eq!(container.provision().await, "0 created, 0 updated, 2 unchanged\n");
    // A changed template is taken over, and nothing else.
    let file = container.at("config/worker-pod-template.raw.orders.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("urutau:v1.2.3", "urutau:v1.2.4")).unwrap();
    assert_eq!(container.provision().await, "0 created, 1 updated, 1 unchanged\n");
    assert_eq!(replicas(&arena).await, Some(5));
    // An edit that is about something else.
    let mut edited = elastic();
    edited["metadata"]["labels"] = json!({ "team": "shop" });
    arena.apply(&edited).await;
    arena.ready::<PipelineObjects>(NAME).await;
    // The operator starts again, with another threshold.
    operator.stop().await;
    let _operator = arena.operator::<PipelineObjects, OperatorRules>(settings("50")).await;
    eventually("other threshold", || async {
        let scaler = scalers(&arena).get(SET).await.unwrap();
        let threshold = scaler.data["spec"]["triggers"][0]["metadata"]["threshold"].clone();
        if threshold == "50" { Ok(()) } else { Err(threshold) }
    })
    .await;
    quiet("other number of replicas", Duration::from_secs(3), writes).await;
    let set = sets(&arena).get(SET).await.unwrap();
    let by_keda = set.metadata.managed_fields.unwrap().into_iter().any(|entry| {
        let fields = serde_json::to_string(&entry.fields_v1).unwrap();
        entry.manager.as_deref() == Some("kube-controller-manager") && fields.contains("f:replicas")
    });
    assert!(by_keda);
}

#[tokio::test]
async fn a_table_that_may_not_grow_any_more_is_run_by_deployments() {
    let arena = Arena::new("shrinks").await;
    let _operator = running(&arena).await;
    let first = pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    arena.apply(&with("/spec/definition/inline/tables/0/workers", json!({ "number": 2 }))).await;
    pod(&arena, Some(&first)).await;
    eventually("end of the ScaledObject", || async {
        scalers(&arena).get_opt(SET).await.unwrap().map_or(Ok(()), |scaler| Err(scaler.metadata.name))
    })
    .await;
    container.mount().await;
    assert_eq!(container.provision().await, "3 created, 0 updated, 0 unchanged\n");
    let wanted = ["shop-mysql-raw.customers-0", "shop-mysql-raw.orders-0", "shop-mysql-raw.orders-1"];
    assert_eq!(deployments(&arena).await.into_keys().collect::<Vec<_>>(), wanted);
    eventually("end of the StatefulSet", || async {
        sets(&arena).get_opt(SET).await.unwrap().map_or(Ok(()), |set| Err(set.metadata.deletion_timestamp))
    })
    .await;
}

#[tokio::test]
async fn without_keda_everything_else_runs_and_keda_is_picked_up_when_it_comes() {
    let arena = Arena::alone("no-keda").await;
    let _operator = running(&arena).await;
    let owner = arena.condition(&PIPELINE, NAME, "AutoscalingReady", "False").await;
    let condition = condition_of(&owner, "AutoscalingReady");
    assert_eq!(condition["reason"], "ApiMissing");
    assert_eq!(condition["message"], "the API server does not serve ScaledObject.keda.sh");
    assert_eq!(condition_of(&owner, "Ready")["status"], "True");
    let pod = arena.api::<Pod>().get_opt(POD).await.unwrap();
    assert!(pod.is_some(), "the coordinator runs");
    let start = Instant::now();
    arena.plane.install_crds(&[keda::scaled_objects()]).await.unwrap();
    arena.condition(&PIPELINE, NAME, "AutoscalingReady", "True").await;
    println!("picked up after {:?}", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(scalers(&arena).get_opt(SET).await.unwrap().is_some());
    let text = condition_of(&arena.any(&PIPELINE).get(NAME).await.unwrap(), "OptionalApisServed");
    assert_eq!(text["status"], "True");
}
