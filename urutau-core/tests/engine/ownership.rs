//! What is removed, and what is left alone.

use crate::arena::{Arena, eventually, sorted};
use crate::widgets::Widget;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event;
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn what_is_no_longer_declared_is_removed_and_nothing_else() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let maps = arena.api::<ConfigMap>();
    let look_alike: ConfigMap =
        serde_json::from_value(json!({"metadata": {"name": "w1-extra-c", "labels": {"widget": "w1"}}})).unwrap();
    maps.create(&PostParams::default(), &look_alike).await.unwrap();
    arena.widget("w1", json!({"text": "hello", "extras": ["a", "b"]})).await;
    arena.until_reason("w1", "Ready").await;
    let mark = arena.mark().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["b"]})).await;
    eventually("it is gone", || async { maps.get_opt("w1-extra-a").await.unwrap().is_none() }).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    assert_eq!(sorted(arena.writes(mark).await), ["delete configmaps w1-extra-a 200", "patch widgets/status w1 200"]);
    assert!(maps.get_opt("w1-extra-b").await.unwrap().is_some());
    assert!(maps.get_opt("w1-extra-c").await.unwrap().is_some());

    arena.api::<Widget>().delete("w1", &DeleteParams::foreground()).await.unwrap();
    eventually("everything is gone", || async {
        let left = maps.list(&kube::api::ListParams::default()).await.unwrap();
        let left: Vec<_> = left.iter().map(ResourceExt::name_any).collect();
        left.iter().all(|name| name == "w1-extra-c" || name == "kube-root-ca.crt")
    })
    .await;
}

#[tokio::test]
async fn an_object_of_somebody_else_is_left_alone_until_it_goes() {
    let arena = Arena::new().await;
    let maps = arena.api::<ConfigMap>();
    let theirs: ConfigMap =
        serde_json::from_value(json!({"metadata": {"name": "w1"}, "data": {"text": "theirs"}})).unwrap();
    maps.create(&PostParams::default(), &theirs).await.unwrap();
    let _operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello"})).await;
    let message = arena.until_reason("w1", "NameCollision").await;
    assert_eq!(message, "ConfigMap `w1` is there already and belongs to nobody; it is left as it is");
    arena.silence().await;
    assert_eq!(maps.get("w1").await.unwrap().data.unwrap_or_default().get("text").map(String::as_str), Some("theirs"));
    let events = arena.api::<Event>().list(&kube::api::ListParams::default()).await.unwrap();
    let ours: Vec<_> = events.iter().filter(|event| event.reason.as_deref() == Some("NameCollision")).collect();
    assert_eq!(ours.len(), 1);

    maps.delete("w1", &DeleteParams::default()).await.unwrap();
    arena.until_reason("w1", "Ready").await;
    assert_eq!(maps.get("w1").await.unwrap().data.unwrap_or_default().get("text").map(String::as_str), Some("hello"));
}

#[tokio::test]
async fn an_invalid_or_suspended_owner_is_left_as_it_runs() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    for (spec, reason) in
        [(json!({"text": "invalid"}), "Invalid"), (json!({"text": "x", "suspended": true}), "Suspended")]
    {
        let mark = arena.mark().await;
        arena.widget("w1", spec).await;
        arena.until_reason("w1", reason).await;
        maps.patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"data": {"text": reason}}))).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let writes = arena.writes(mark).await;
        let others: Vec<_> = writes.iter().filter(|write| !write.contains("events")).collect();
        assert_eq!(others, ["patch widgets/status w1 200"], "{reason}");
        assert!(maps.get_opt("w1-extra-a").await.unwrap().is_some());
    }
    let status = arena.api::<Widget>().get("w1").await.unwrap().status.unwrap();
    assert_eq!(status.engine.owned.len(), 4, "what it owns is not forgotten");
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
}
