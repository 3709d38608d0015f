//! Members that wait, pipelines that can't be, and pipelines that are left alone.

use super::{COORDINATOR, NAME, arena, example, pipeline, running, with};
use e2e_tests::{condition_of, eventually, quiet};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{ConfigMap, Secret, Service};
use k8s_openapi::api::events::v1::Event;
use kube::api::{DeleteParams, ListParams};
use serde_json::json;
use std::time::Duration;
use urutau_core::KindId;
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::PipelineObjects;

const PIPELINE: KindId = KindId::of::<CDCPipeline>();

#[tokio::test]
async fn the_stateful_set_waits_for_its_secrets_and_the_rest_does_not() {
    let (arena, _operator) = arena("secret").await;
    let secrets = arena.api::<Secret>();
    secrets.delete("shop-mysql-creds", &DeleteParams::default()).await.unwrap();
    arena.apply(&pipeline()).await;
    let waiting = arena.condition(&PIPELINE, NAME, "SecretsReady", "False").await;
    let message = condition_of(&waiting, "SecretsReady")["message"].clone();
    assert!(message.as_str().unwrap().contains("shop-mysql-creds"), "{message}");
    eventually("the rest of the set", || async {
        let service = arena.api::<Service>().get_opt(COORDINATOR).await.unwrap().is_some();
        let config = arena.api::<ConfigMap>().get_opt(COORDINATOR).await.unwrap().is_some();
        if service && config { Ok(()) } else { Err((service, config)) }
    })
    .await;
    assert!(arena.api::<StatefulSet>().get_opt(COORDINATOR).await.unwrap().is_none());
    for secret in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(secret).await;
    }
    arena.ready::<PipelineObjects>(NAME).await;
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn a_secret_that_goes_later_takes_nothing_down() {
    let (arena, _operator) = running("later").await;
    let set = arena.api::<StatefulSet>().get(COORDINATOR).await.unwrap();
    let files = arena.api::<ConfigMap>().get(COORDINATOR).await.unwrap().data;
    arena.api::<Secret>().delete("polaris-creds", &DeleteParams::default()).await.unwrap();
    arena.condition(&PIPELINE, NAME, "SecretsReady", "False").await;
    let mark = arena.plane.audit_mark().await.unwrap();
    quiet("a write", Duration::from_secs(3), || arena.writes_since(mark)).await;
    let now = arena.api::<StatefulSet>().get(COORDINATOR).await.unwrap();
    assert_eq!((now.metadata.uid, now.metadata.generation), (set.metadata.uid, set.metadata.generation));
    assert_eq!(arena.api::<ConfigMap>().get(COORDINATOR).await.unwrap().data, files);
}

#[tokio::test]
async fn a_changed_secret_rolls_the_coordinator_once_and_a_label_does_not() {
    let (arena, _operator) = running("rotated").await;
    let sets = arena.api::<StatefulSet>();
    let boot = |set: &StatefulSet| {
        let template = set.spec.as_ref().unwrap().template.metadata.as_ref().unwrap();
        template.annotations.as_ref().unwrap()["urutau.io/boot-hash"].clone()
    };
    let before = sets.get(COORDINATOR).await.unwrap();
    let secret = |uri: &str, label: &str| {
        json!({
            "apiVersion": "v1", "kind": "Secret",
            "metadata": { "name": "shop-mysql-creds", "labels": { "l": label } }, "stringData": { "uri": uri },
        })
    };
    arena.apply_as("other", &secret("mysql://repl:new@mysql:3306/shop", "a")).await.unwrap();
    let after = eventually("a new hash", || async {
        let now = sets.get(COORDINATOR).await.unwrap();
        if boot(&now) == boot(&before) { Err(boot(&now)) } else { Ok(now) }
    })
    .await;
    // The owner is ready before it has heard of the rollout, too.
    eventually("the end of the rollout", || async {
        let set = sets.get(COORDINATOR).await.unwrap();
        let status = set.status.unwrap_or_default();
        let seen = status.observed_generation == set.metadata.generation;
        let over = status.current_revision == status.update_revision && status.ready_replicas == Some(1);
        if seen && over { Ok(()) } else { Err(status) }
    })
    .await;
    arena.ready::<PipelineObjects>(NAME).await;
    arena.settled(arena.mark().await).await;
    arena.apply_as("other", &secret("mysql://repl:new@mysql:3306/shop", "b")).await.unwrap();
    let mark = arena.mark().await;
    quiet("a write", Duration::from_secs(3), || arena.writes_since(mark)).await;
    assert_eq!(sets.get(COORDINATOR).await.unwrap().metadata.generation, after.metadata.generation);
}

#[tokio::test]
async fn an_invalid_document_is_a_condition_and_an_event_and_leaves_what_runs() {
    let (arena, _operator) = running("invalid").await;
    let set = arena.api::<StatefulSet>().get(COORDINATOR).await.unwrap();
    arena.apply(&with("/spec/definition/inline/source/kind", json!("mysq"))).await;
    let invalid = arena.condition(&PIPELINE, NAME, "Ready", "False").await;
    let ready = condition_of(&invalid, "Ready");
    assert_eq!(ready["reason"], "Invalid");
    assert!(ready["message"].as_str().unwrap().contains("spec.definition.inline.source.kind"), "{ready}");
    let events = arena.api::<Event>();
    let about = || async {
        let list = events.list(&ListParams::default()).await.unwrap();
        list.items.into_iter().filter(|event| event.reason.as_deref() == Some("Invalid")).count()
    };
    eventually("one event", || async { if about().await == 1 { Ok(()) } else { Err(about().await) } }).await;
    let mark = arena.plane.audit_mark().await.unwrap();
    quiet("a write", Duration::from_secs(5), || arena.writes_since(mark)).await;
    assert_eq!(about().await, 1);
    assert_eq!(arena.api::<StatefulSet>().get(COORDINATOR).await.unwrap().metadata.uid, set.metadata.uid);
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
}

#[tokio::test]
async fn a_suspended_pipeline_is_left_as_it_is() {
    let (arena, _operator) = running("suspended").await;
    let mut suspended = with("/spec/suspend", json!(true));
    suspended["spec"]["image"] = json!("other:1");
    arena.apply(&suspended).await;
    let object = arena.condition(&PIPELINE, NAME, "Ready", "False").await;
    assert_eq!(object.data["status"]["phase"], "Suspended");
    let mark = arena.plane.audit_mark().await.unwrap();
    arena.api::<Service>().delete(COORDINATOR, &DeleteParams::default()).await.unwrap();
    quiet("a write to an object", Duration::from_secs(4), || async {
        arena.writes_since(mark).await.into_iter().filter(|request| request.subresource != "status").collect()
    })
    .await;
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    assert!(arena.api::<Service>().get_opt(COORDINATOR).await.unwrap().is_some());
}
