//! K-02: replicas change hands without falling to the default.

use super::trace::Trace;
use super::{HANDOVER, OURS, Objects, Rules, WORKERS, owned_by, scale};
use e2e_tests::{Arena, Crew, MANAGER, OFTEN, Operator, Widget, between, quiet, times, widget};
use futures::FutureExt;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

const REPLICAS: &str = "/spec/replicas";

/// A widget with five workers that are ours.
async fn five(name: &str) -> (Arena, Operator, Trace) {
    let arena = Arena::new(name).await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "replicas": 5 }))).await;
    arena.ready::<Objects>("w1").await;
    owned_by(&arena, &WORKERS, "w1", &[OURS]).await;
    arena.settled(arena.mark().await).await;
    let trace = Trace::of(&arena, &WORKERS).await;
    (arena, operator, trace)
}

async fn stays_silent(arena: &Arena) {
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    // It looks at everything all the time.
    quiet("a request", Duration::from_secs(1), || arena.since(mark)).await;
}

#[tokio::test]
async fn k_02_replicas_stay_until_somebody_scales_and_come_back() {
    let (arena, operator, trace) = five("k-02").await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    owned_by(&arena, &WORKERS, "w1", &[HANDOVER]).await;
    let requests = arena.settled(mark).await;
    let workers = requests.iter().filter(|request| request.resource == "deployments");
    let once = [("get deployments w1".to_owned(), 1), ("patch deployments w1".to_owned(), 2)];
    assert_eq!(times(workers).into_iter().collect::<Vec<_>>(), once);
    stays_silent(&arena).await;

    // The scaler takes it over.
    scale(&arena, "hpa", &WORKERS, "w1", 7).await;
    owned_by(&arena, &WORKERS, "w1", &["hpa"]).await;
    stays_silent(&arena).await;
    assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, [json!(5), json!(7)]);

    // And back.
    arena.apply(&widget("w1", &json!({ "replicas": 3 }))).await;
    owned_by(&arena, &WORKERS, "w1", &[OURS]).await;
    arena.ready::<Objects>("w1").await;
    stays_silent(&arena).await;
    assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, [json!(5), json!(7), json!(3)]);
    let managed = arena.at(&WORKERS, "w1", "/metadata/managedFields").await.to_string();
    assert!(!managed.contains("handover"), "{managed}");
    assert_eq!(arena.failed().await, [""; 0]);
    operator.stop().await;
}

#[tokio::test]
async fn k_02_what_was_kept_goes_when_it_is_declared_again() {
    for (name, replicas) in [("k-02-less", 3), ("k-02-same", 5)] {
        let (arena, _operator, trace) = five(name).await;
        arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
        owned_by(&arena, &WORKERS, "w1", &[HANDOVER]).await;
        arena.apply(&widget("w1", &json!({ "replicas": replicas }))).await;
        owned_by(&arena, &WORKERS, "w1", &[OURS]).await;
        stays_silent(&arena).await;
        let mut values = vec![json!(5), json!(replicas)];
        values.dedup();
        assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, values);
        assert_eq!(arena.failed().await, [""; 0]);
    }
}

#[tokio::test]
async fn k_02_whoever_claims_the_same_value_ends_the_handover() {
    let (arena, operator, trace) = five("k-02-claim").await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    owned_by(&arena, &WORKERS, "w1", &[HANDOVER]).await;
    let theirs = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "w1" }, "spec": { "replicas": 5 },
    });
    arena.apply_as(MANAGER, &theirs).await.unwrap();
    owned_by(&arena, &WORKERS, "w1", &[MANAGER]).await;
    stays_silent(&arena).await;

    // The same while nobody looks.
    arena.apply(&widget("w1", &json!({ "replicas": 5 }))).await;
    owned_by(&arena, &WORKERS, "w1", &[MANAGER, OURS]).await;
    arena.settled(arena.mark().await).await;
    operator.stop().await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    let mark = arena.mark().await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    owned_by(&arena, &WORKERS, "w1", &[MANAGER]).await;
    // It is somebody's: nothing is to be kept.
    let requests = arena.settled(mark).await;
    let workers = requests.iter().filter(|request| request.resource == "deployments" && request.verb != "list");
    assert_eq!(times(workers).into_iter().collect::<Vec<_>>(), [("patch deployments w1".to_owned(), 1)]);
    assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, [json!(5)]);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn k_02_a_restart_in_between_loses_nothing() {
    let (arena, operator, trace) = five("k-02-restart").await;
    operator.stop().await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    // It dies at each of its writes but the first few.
    for dies_at in 0..3 {
        let account = arena.account::<Rules>().await;
        let writes = Arc::new(AtomicUsize::new(0));
        let client = between(account, move |method, uri| {
            let write = *method == http::Method::PATCH && uri.path().contains("/deployments/");
            let dead = write && writes.fetch_add(1, Ordering::SeqCst) >= dies_at;
            async move {
                if dead {
                    std::future::pending::<()>().await;
                }
            }
            .boxed()
        });
        let operator = arena.start::<Objects>(client, (), |controller| controller.resync(OFTEN));
        let claimed: &[&str] = match dies_at {
            0 => &[OURS],
            1 => &[OURS, HANDOVER],
            _ => &[HANDOVER],
        };
        owned_by(&arena, &WORKERS, "w1", claimed).await;
        arena.settled(arena.mark().await).await;
        owned_by(&arena, &WORKERS, "w1", claimed).await;
        operator.stop().await;
    }
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    stays_silent(&arena).await;
    scale(&arena, "hpa", &WORKERS, "w1", 6).await;
    owned_by(&arena, &WORKERS, "w1", &["hpa"]).await;
    assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, [json!(5), json!(6)]);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn k_02_somebody_scales_while_it_is_handed_over() {
    let (arena, operator, trace) = five("k-02-race").await;
    operator.stop().await;
    arena.apply(&widget("w1", &json!({ "autoscaling": true }))).await;
    let account = arena.account::<Rules>().await;
    let workers = arena.any(&WORKERS);
    let writes = Arc::new(AtomicUsize::new(0));
    // Between the look at the live value and its first write.
    let client = between(account, move |method, uri| {
        let write = *method == http::Method::PATCH && uri.path().contains("/deployments/");
        let first = write && writes.fetch_add(1, Ordering::SeqCst) == 0;
        let workers = workers.clone();
        async move {
            if first {
                let params = PatchParams { field_manager: Some("hpa".to_owned()), ..PatchParams::default() };
                let patch = Patch::Merge(json!({ "spec": { "replicas": 8 } }));
                workers.patch_scale("w1", &params, &patch).await.unwrap();
            }
        }
        .boxed()
    });
    let _operator = arena.start::<Objects>(client, (), |controller| controller.resync(OFTEN));
    owned_by(&arena, &WORKERS, "w1", &["hpa"]).await;
    arena.ready::<Objects>("w1").await;
    stays_silent(&arena).await;
    assert_eq!(trace.values(&arena, &WORKERS, REPLICAS).await, [json!(5), json!(8)]);
}

#[derive(OwnedResource)]
#[owned(Crew, conflict = yield)]
struct Hands {
    #[at(spec.replicas)]
    replicas: Option<i32>,
    #[at(spec.task)]
    task: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Crews {
    hands: Hands,
}

#[derive(RbacRules)]
#[rbac(manages(Crews))]
struct CrewRules;

impl Declare for Crews {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { hands: Hands { replicas: owner.says("replicas")?, task: "dig".to_owned() } })
    }
}

#[tokio::test]
async fn k_02_a_custom_resource_that_can_be_scaled_is_handed_over_too() {
    let crews = KindId::of::<Crew>();
    let arena = Arena::new("k-02-custom").await;
    let _operator = arena.looking::<Crews, CrewRules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "replicas": 5 }))).await;
    owned_by(&arena, &crews, "w1", &[OURS]).await;
    arena.ready::<Crews>("w1").await;
    let trace = Trace::of(&arena, &crews).await;
    arena.apply(&widget("w1", &json!({}))).await;
    owned_by(&arena, &crews, "w1", &[HANDOVER]).await;
    // A set that yields does not yield to itself.
    arena.apply(&widget("w1", &json!({ "replicas": 3 }))).await;
    owned_by(&arena, &crews, "w1", &[OURS]).await;
    arena.ready::<Crews>("w1").await;
    arena.apply(&widget("w1", &json!({}))).await;
    owned_by(&arena, &crews, "w1", &[HANDOVER]).await;
    scale(&arena, "hpa", &crews, "w1", 4).await;
    owned_by(&arena, &crews, "w1", &["hpa"]).await;
    stays_silent(&arena).await;
    assert_eq!(trace.values(&arena, &crews, REPLICAS).await, [5, 3, 4].map(Value::from));
    assert_eq!(arena.failed().await, [""; 0]);
}
