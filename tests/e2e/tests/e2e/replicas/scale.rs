//! K-13: scaling an owner counts, scaling what it owns does not, and whoever does is told. A-30: the same for any field.

use super::{Labels, WORKERS, Workers, owned_by, scale};
use e2e_tests::{Arena, Crew, NEVER, Operator, eventually, times};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event;
use kube::api::{ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

const CREW: KindId = KindId::of::<Crew>();
const PAGE: KindId = KindId::of::<ConfigMap>();
const REPLICAS: &str = "/spec/replicas";

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["a"] = "1", data["b"] = "2", metadata.labels["app.kubernetes.io/name"] = "crew")]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Crew, manager = "crew-operator")]
struct Objects {
    workers: Workers,
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Crew, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let name = owner.metadata.name.clone().unwrap_or_default();
        let labels = Labels::from([("app".to_owned(), name)]);
        // A crew that says nothing has two.
        let replicas = Some(owner.spec.replicas.unwrap_or(2));
        Ok(Self { workers: Workers { labels, replicas, version: None }, page: Page })
    }
}

fn crew(spec: &Value) -> Value {
    json!({ "apiVersion": "acme.example/v1", "kind": "Crew", "metadata": { "name": "c1" }, "spec": spec })
}

async fn running(name: &str) -> (Arena, Operator) {
    let arena = Arena::new(name).await;
    let operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply_as("user", &crew(&json!({ "task": "dig" }))).await.unwrap();
    arena.ready::<Objects>("c1").await;
    (arena, operator)
}

/// The notes of the events that tell of a repair, and how often each was told.
async fn repairs(arena: &Arena) -> Vec<(String, i32)> {
    let events = arena.api::<Event>().list(&ListParams::default()).await.unwrap();
    let repaired = events.into_iter().filter(|event| event.reason.as_deref() == Some("Repaired"));
    let told = repaired.map(|event| {
        let regarding = event.regarding.unwrap_or_default();
        assert_eq!((regarding.kind.as_deref(), regarding.name.as_deref()), (Some("Crew"), Some("c1")));
        (event.note.unwrap_or_default(), event.series.map_or(1, |series| series.count))
    });
    let mut told: Vec<_> = told.collect();
    told.sort();
    told
}

async fn told(arena: &Arena, expected: &[&str]) {
    let expected: Vec<_> = expected.iter().map(|note| (format!("{note}; it is as declared again"), 1)).collect();
    eventually("the events", || async {
        let now = repairs(arena).await;
        if now == expected { Ok(()) } else { Err(now) }
    })
    .await;
}

#[tokio::test]
async fn k_13_scaling_the_owner_counts_and_scaling_what_it_owns_is_told() {
    let (arena, _operator) = running("k-13").await;
    scale(&arena, "kubectl", &CREW, "c1", 4).await;
    arena.becomes(&WORKERS, "c1", REPLICAS, &json!(4)).await;
    arena.ready::<Objects>("c1").await;
    // The user's manifest leaves the number to whoever scales.
    let apply = async |spec: Value, force: bool| {
        let params = PatchParams { force, ..PatchParams::apply("user") };
        arena.any(&CREW).patch("c1", &params, &Patch::Apply(&crew(&spec))).await
    };
    apply(json!({ "task": "sow" }), false).await.unwrap();
    assert_eq!(arena.at(&CREW, "c1", REPLICAS).await, 4);
    arena.ready::<Objects>("c1").await;

    let mark = arena.mark().await;
    scale(&arena, "kubectl", &WORKERS, "c1", 9).await;
    arena.becomes(&WORKERS, "c1", REPLICAS, &json!(4)).await;
    owned_by(&arena, &WORKERS, "c1", &["crew-operator"]).await;
    let note = "Deployment `c1`: kubectl changed spec.replicas";
    told(&arena, &[note]).await;
    let requests = arena.settled(mark).await;
    let requests: Vec<_> = requests.iter().filter(|request| request.subresource != "status").collect();
    let verbs: Vec<_> = requests.iter().map(|request| format!("{} {}", request.verb, request.resource)).collect();
    assert_eq!(verbs, ["patch deployments", "create events"], "no more than the repair and the event");

    // Once more is nothing new, but somebody else is.
    for replicas in [8, 7] {
        scale(&arena, "kubectl", &WORKERS, "c1", replicas).await;
        arena.becomes(&WORKERS, "c1", REPLICAS, &json!(4)).await;
    }
    scale(&arena, "hpa", &WORKERS, "c1", 6).await;
    arena.becomes(&WORKERS, "c1", REPLICAS, &json!(4)).await;
    told(&arena, &["Deployment `c1`: hpa changed spec.replicas", note]).await;
    let events = arena.settled(mark).await;
    let events = times(events.iter().filter(|request| request.resource == "events"));
    assert_eq!(events.values().sum::<usize>(), 2, "{events:?}");

    // A manifest with a number says what scales, and takes it back only by force.
    apply(json!({ "task": "sow", "replicas": 3 }), true).await.unwrap();
    arena.becomes(&WORKERS, "c1", REPLICAS, &json!(3)).await;
    scale(&arena, "kubectl", &CREW, "c1", 5).await;
    arena.becomes(&WORKERS, "c1", REPLICAS, &json!(5)).await;
    let refused = apply(json!({ "task": "sow", "replicas": 3 }), false).await.unwrap_err().to_string();
    assert!(refused.contains("kubectl") && refused.contains(".spec.replicas"), "{refused}");
    apply(json!({ "task": "reap" }), false).await.unwrap();
    assert_eq!(arena.at(&CREW, "c1", REPLICAS).await, 5);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn what_was_put_right_is_told_and_recorded_before_the_end() {
    let (arena, operator) = running("a-30-end").await;
    arena.settled(arena.mark().await).await;
    let before = arena.at(&CREW, "c1", "/status/owned").await;
    arena.merge("kubectl", &PAGE, "c1", json!({ "data": { "a": "theirs" } })).await;
    arena.becomes(&PAGE, "c1", "/data/a", &json!("1")).await;
    operator.end().await;
    assert_eq!(repairs(&arena).await.len(), 1);
    assert_ne!(arena.at(&CREW, "c1", "/status/owned").await, before);

    let mark = arena.mark().await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    assert!(arena.settled(mark).await.iter().all(|request| request.verb == "list"), "the record is that of the repair");
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_30_whoever_changes_a_field_is_named_with_the_field() {
    let (arena, _operator) = running("a-30-told").await;
    let image = "/spec/template/spec/containers/0/image";
    arena.edit("kubectl-edit", &WORKERS, "c1", "replace", image, json!("theirs:1")).await;
    arena.becomes(&WORKERS, "c1", image, &json!("main:1")).await;
    let theirs = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": { "name": "c1", "labels": { "app.kubernetes.io/name": "theirs" } }, "data": { "a": "theirs", "c": "3" },
    });
    arena.apply_as("argocd", &theirs).await.unwrap();
    arena.becomes(&PAGE, "c1", "/data", &json!({ "a": "1", "b": "2", "c": "3" })).await;
    arena.settled(arena.mark().await).await;
    arena.edit("kubectl-edit", &PAGE, "c1", "remove", "/data/b", Value::Null).await;
    arena.becomes(&PAGE, "c1", "/data/b", &json!("2")).await;
    arena.settled(arena.mark().await).await;
    let expected = [
        "ConfigMap `c1`: argocd changed data.a and metadata.labels[\"app.kubernetes.io/name\"]",
        "ConfigMap `c1`: somebody removed data.b",
        "Deployment `c1`: kubectl-edit changed spec.template.spec.containers[\"main\"].image",
    ];
    told(&arena, &expected).await;

    // What is done under the operator's own name is nobody else's, and what was not declared is nobody's business.
    arena.next_second().await;
    let ours =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "c1" }, "data": { "a": "ours" } });
    arena.apply_as("crew-operator", &ours).await.unwrap();
    arena.becomes(&PAGE, "c1", "/data/a", &json!("1")).await;
    arena.edit("kubectl-edit", &PAGE, "c1", "add", "/data/d", json!("4")).await;
    arena.settled(arena.mark().await).await;
    told(&arena, &expected).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
