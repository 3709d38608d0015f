//! K-01: what is not declared is the autoscaler's.

use super::trace::Trace;
use super::{Objects, Rules, WORKERS, owners, scale};
use e2e_tests::{Arena, MANAGER, OFTEN, Widget, condition_of, widget};
use serde_json::json;
use urutau_core::KindId;

#[tokio::test]
async fn k_01_an_autoscaler_scales_and_nobody_scales_back() {
    let arena = Arena::new("k-01").await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    arena.ready::<Objects>("w1").await;
    let trace = Trace::of(&arena, &WORKERS).await;
    // It is ready when as many are as there are to be now: those that are new do not count for a while.
    arena.merge(MANAGER, &WORKERS, "w1", json!({ "spec": { "minReadySeconds": 10 } })).await;
    arena.ready::<Objects>("w1").await;
    scale(&arena, "hpa", &WORKERS, "w1", 7).await;
    arena.becomes(&WORKERS, "w1", "/status/readyReplicas", &json!(7)).await;
    let waiting = arena.any(&KindId::of::<Widget>()).get("w1").await.unwrap();
    assert_ne!(arena.at(&WORKERS, "w1", "/status/availableReplicas").await, 7);
    assert_eq!(condition_of(&waiting, "Ready")["status"], "False");
    arena.ready::<Objects>("w1").await;
    arena.becomes(&WORKERS, "w1", "/status/availableReplicas", &json!(7)).await;

    // Whatever makes the operator write.
    let image = "/spec/template/spec/containers/0/image";
    arena.edit(MANAGER, &WORKERS, "w1", "replace", image, json!("theirs:1")).await;
    arena.becomes(&WORKERS, "w1", image, &json!("main:1")).await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true, "version": "2" }))).await;
    arena.becomes(&WORKERS, "w1", "/metadata/annotations/v", &json!("2")).await;
    arena.settled(arena.mark().await).await;
    operator.stop().await;
    arena.edit(MANAGER, &WORKERS, "w1", "replace", image, json!("theirs:2")).await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.becomes(&WORKERS, "w1", image, &json!("main:1")).await;
    arena.settled(arena.mark().await).await;
    assert_eq!(trace.values(&arena, &WORKERS, "/spec/replicas").await, [json!(1), json!(7)]);
    // The API server notes who scales only where somebody has claimed the field before.
    assert_eq!(owners(&arena, &WORKERS, "w1").await, [""; 0]);
    assert_eq!(arena.failed().await, [""; 0]);
}
