//! What is sent, and that nothing else is.

use crate::arena::{Arena, eventually, sorted};
use crate::widgets::Widget;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn each_object_is_written_once_and_then_there_is_silence() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let mark = arena.mark().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["a", "b"]})).await;
    arena.until_reason("w1", "Ready").await;
    let writes = arena.writes(mark).await;
    assert_eq!(
        sorted(writes),
        [
            "patch configmaps w1 201",
            "patch configmaps w1-extra-a 201",
            "patch configmaps w1-extra-b 201",
            "patch configmaps w1-note 201",
            "patch deployments w1 201",
            "patch widgets/status w1 200",
            "patch widgets/status w1 200",
        ]
    );
    arena.silence().await;
    let widget = arena.api::<Widget>().get("w1").await.unwrap();
    let status = widget.status.unwrap();
    assert_eq!((status.phase.as_deref(), status.engine.owned.len()), (Some("Up"), 5));
    assert_eq!(status.engine.observed_generation, widget.metadata.generation);
    assert_eq!(arena.condition("w1", "ObjectsApplied").await.2, "5 objects are as declared");
    let refused = arena.requests(mark).await.into_iter().filter(|request| request.code >= 400).count();
    assert_eq!(refused, 0);
}

#[tokio::test]
async fn a_restart_with_nothing_changed_writes_nothing() {
    let arena = Arena::new().await;
    let operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    operator.stop().await;

    let mark = arena.mark().await;
    let operator = arena.start().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(arena.writes(mark).await, Vec::<String>::new());
    let lists = arena.requests(mark).await.into_iter().filter(|request| request.verb == "list").count();
    assert_eq!(lists, 4, "widgets, configmaps, deployments, secrets");
    operator.stop().await;

    // What changed while nobody looked is written, and nothing else.
    let data = json!({"data": {"text": "theirs"}});
    arena.api::<ConfigMap>().patch("w1", &PatchParams::default(), &Patch::Merge(&data)).await.unwrap();
    arena.api::<ConfigMap>().delete("w1-note", &DeleteParams::default()).await.unwrap();
    let owners = json!({"metadata": {"ownerReferences": null}});
    arena.api::<ConfigMap>().patch("w1-extra-a", &PatchParams::default(), &Patch::Merge(&owners)).await.unwrap();
    let mark = arena.mark().await;
    let _operator = arena.start().await;
    eventually("everything is written", || async { arena.writes(mark).await.len() >= 4 }).await;
    arena.silence().await;
    assert_eq!(
        sorted(arena.writes(mark).await),
        [
            "patch configmaps w1 200",
            "patch configmaps w1-extra-a 200",
            "patch configmaps w1-note 201",
            "patch widgets/status w1 200",
        ]
    );
}
