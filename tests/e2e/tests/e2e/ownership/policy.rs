//! What an author says of how an object is kept.

use super::{WIDGET, not_ready, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, NEVER, OFTEN, Widget, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-once", apply = once)]
struct Once {
    #[at(data["k"])]
    value: String,
}

#[derive(OwnedResource)]
#[owned(Secret, name = "{owner}-kept", on_removal = keep)]
struct Kept {
    #[at(string_data["k"])]
    value: String,
}

#[derive(OwnedResource)]
#[owned(Deployment, conflict = yield)]
#[set(spec {
    replicas = 2,
    selector.match_labels["app"] = "{owner}",
    template { metadata.labels["app"] = "{owner}", spec.containers["main"].image = "main:1" },
})]
struct Workers {
    #[at(metadata.labels["v"])]
    version: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page {
    #[at(data["k"])]
    value: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    once: Option<Once>,
    kept: Option<Kept>,
    workers: Option<Workers>,
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let value: String = owner.says("value")?;
        Ok(Self {
            once: owner.says::<bool>("once")?.then(|| Once { value: value.clone() }),
            kept: owner.says::<bool>("kept")?.then(|| Kept { value: value.clone() }),
            workers: owner.says::<bool>("workers")?.then(|| Workers { version: value.clone() }),
            page: Page { value },
        })
    }
}

const CONFIG: KindId = KindId::of::<ConfigMap>();
const SECRET: KindId = KindId::of::<Secret>();
const WORKERS: KindId = KindId::of::<Deployment>();
const REPLICAS: &str = "/spec/replicas";

#[tokio::test]
async fn what_is_applied_once_is_made_and_left() {
    let arena = Arena::new("once").await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let once = |value: &str| widget("w1", &json!({ "once": true, "value": value }));
    arena.apply(&once("1")).await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&CONFIG, "w1-once", "/data/k").await, "1");
    // Neither the owner nor anybody else changes that.
    arena.apply(&once("2")).await;
    arena.becomes(&CONFIG, "w1", "/data/k", &json!("2")).await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&CONFIG, "w1-once", "/data/k").await, "1");
    arena.merge(MANAGER, &CONFIG, "w1-once", json!({ "data": { "k": "theirs" } })).await;
    stays_silent(&arena).await;
    operator.stop().await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.settled(arena.mark().await).await;
    assert_eq!(arena.at(&CONFIG, "w1-once", "/data/k").await, "theirs");
    // It has to be there, though, while it is declared.
    arena.delete(&CONFIG, "w1-once").await;
    arena.becomes(&CONFIG, "w1-once", "/data/k", &json!("2")).await;
    arena.apply(&widget("w1", &json!({ "value": "2" }))).await;
    arena.gone(&CONFIG, "w1-once").await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn what_is_kept_stays_without_us() {
    let arena = Arena::new("kept").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({ "kept": true, "value": "1" }))).await;
    arena.ready::<Objects>("w1").await;
    let uid = arena.uid(&SECRET, "w1-kept").await;
    arena.apply(&widget("w1", &json!({ "value": "1" }))).await;
    arena.becomes(&SECRET, "w1-kept", "/metadata/ownerReferences", &Value::Null).await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&SECRET, "w1-kept", "/data/k").await, "MQ==");
    arena.settled(arena.mark().await).await;
    stays_silent(&arena).await;
    arena.delete(&WIDGET, "w1").await;
    arena.gone(&CONFIG, "w1").await;
    assert_eq!(arena.uid(&SECRET, "w1-kept").await, uid);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn what_yields_leaves_others_their_fields_and_says_so() {
    let arena = Arena::new("yield").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let with = |value: &str| widget("w1", &json!({ "workers": true, "value": value }));
    arena.apply(&with("1")).await;
    arena.ready::<Objects>("w1").await;
    let (mark, start) = (arena.mark().await, Instant::now());
    let params = PatchParams { field_manager: Some("kubectl".to_owned()), ..PatchParams::default() };
    let five = Patch::Merge(json!({ "spec": { "replicas": 5 } }));
    arena.api::<Deployment>().patch_scale("w1", &params, &five).await.unwrap();
    not_ready(&arena, "w1", "FieldConflict", &["Deployment `w1`", "kubectl", "spec.replicas"]).await;
    arena.apply(&with("2")).await;
    arena.becomes(&CONFIG, "w1", "/data/k", &json!("2")).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(arena.at(&WORKERS, "w1", REPLICAS).await, 5);
    let tries = writes(arena.since(mark).await).iter().filter(|request| request.resource == "deployments").count();
    let most = 3 + usize::try_from(start.elapsed().as_secs()).unwrap();
    assert!((1..=most).contains(&tries), "{tries} tries in {:?}", start.elapsed());
    // They agree: nothing is in the way any longer.
    let two = Patch::Merge(json!({ "spec": { "replicas": 2 } }));
    arena.api::<Deployment>().patch_scale("w1", &params, &two).await.unwrap();
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&WORKERS, "w1", "/metadata/labels/v").await, "2");
    arena.settled(arena.mark().await).await;
    stays_silent(&arena).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
