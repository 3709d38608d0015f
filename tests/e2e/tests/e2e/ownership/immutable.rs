//! Changes that the API server refuses because a field can't change.

use super::{Labels, WIDGET, not_ready, writes};
use e2e_tests::{Arena, NEVER, Widget, eventually, widget};
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim, Pod};
use kube::api::ListParams;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 2, template.spec.containers["main"].image = "main:1" })]
struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.service_name)]
    service: String,
    #[at(spec.volume_claim_templates)]
    claims: Vec<PersistentVolumeClaim>,
}

#[derive(OwnedResource)]
#[owned(StatefulSet, name = "{owner}-anew", apply = recreate, ready)]
#[set(spec { replicas = 2, template.spec.containers["main"].image = "main:1" })]
struct Anew {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.service_name)]
    service: String,
    #[at(spec.volume_claim_templates)]
    claims: Vec<PersistentVolumeClaim>,
}

#[derive(OwnedResource)]
#[owned(Deployment, apply = recreate)]
#[set(spec { replicas = 0, template.spec.containers["main"].image = "main:1" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page {
    #[at(data["k"])]
    value: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-extra")]
struct Extra;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    stores: Option<Stores>,
    anew: Option<Anew>,
    workers: Option<Workers>,
    page: Page,
    extra: Option<Extra>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let claims = || -> Result<Vec<PersistentVolumeClaim>, Invalid> {
            let storage: String = owner.says("storage")?;
            let claim = json!([{ "metadata": { "name": "data" }, "spec": {
                "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": storage } } } }]);
            Ok(serde_json::from_value(claim).unwrap())
        };
        let labels = |of: &str| -> Result<Labels, Invalid> {
            let mut labels: Labels = owner.says("labels")?;
            labels.insert("of".to_owned(), of.to_owned());
            Ok(labels)
        };
        let service: String = owner.says("service")?;
        let has = |member: &str| {
            owner.says::<Vec<String>>("members").map(|members| members.iter().any(|name| name == member))
        };
        Ok(Self {
            stores: if has("stores")? {
                Some(Stores { labels: labels("stores")?, service: service.clone(), claims: claims()? })
            } else {
                None
            },
            anew: if has("anew")? { Some(Anew { labels: labels("anew")?, service, claims: claims()? }) } else { None },
            workers: if has("workers")? { Some(Workers { labels: labels("workers")? }) } else { None },
            page: Page { value: owner.says("value")? },
            extra: owner.says::<bool>("extra")?.then_some(Extra),
        })
    }
}

const STORES: KindId = KindId::of::<StatefulSet>();
const WORKERS: KindId = KindId::of::<Deployment>();
const PAGE: KindId = KindId::of::<ConfigMap>();

fn spec(members: &[&str], storage: &str, service: &str, value: &str) -> Value {
    json!({ "members": members, "storage": storage, "service": service, "value": value })
}

#[tokio::test]
async fn c_10_a_field_that_can_not_change_is_named_and_the_rest_goes_on() {
    let arena = Arena::new("c-10").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &spec(&["stores"], "1Gi", "a", "1"))).await;
    arena.ready::<Objects>("w1").await;
    let uid = arena.uid(&STORES, "w1").await;
    let start = Instant::now();
    let mark = arena.mark().await;
    for (storage, service, value) in [("2Gi", "a", "2"), ("1Gi", "b", "3")] {
        arena.apply(&widget("w1", &spec(&["stores"], storage, service, value))).await;
        not_ready(&arena, "w1", "ImmutableFieldChange", &["StatefulSet `w1`", "spec"]).await;
        arena.becomes(&PAGE, "w1", "/data/k", &json!(value)).await;
    }
    let requests = arena.settled(mark).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let tries = writes(arena.since(mark).await).iter().filter(|request| request.resource == "statefulsets").count();
    // Twice anew, and each after waits of 1 s, 2 s, 4 s, give or take a quarter.
    let most = 2 + usize::try_from(start.elapsed().as_secs()).unwrap();
    assert!((2..=most).contains(&tries), "{tries} tries in {:?}: {requests:#?}", start.elapsed());
    assert_eq!(arena.uid(&STORES, "w1").await, uid);
    arena.apply(&widget("w1", &spec(&["stores"], "1Gi", "a", "3"))).await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.refused().await, [""; 0]);
}

/// The Pods and claims of the `StatefulSet` that is made anew: name and uid.
async fn pods_and_claims(arena: &Arena) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for kind in [KindId::of::<Pod>(), KindId::of::<PersistentVolumeClaim>()] {
        for object in arena.any(&kind).list(&ListParams::default()).await.unwrap() {
            let name = format!("{kind} {}", object.metadata.name.unwrap());
            if name.contains("anew") {
                all.push((name, object.metadata.uid.unwrap()));
            }
        }
    }
    all
}

#[tokio::test]
async fn c_10_what_is_to_be_made_anew_keeps_its_pods_and_claims() {
    let arena = Arena::new("c-10-anew").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &spec(&["anew"], "1Gi", "a", "1"))).await;
    arena.ready::<Objects>("w1").await;
    let before = (arena.uid(&STORES, "w1-anew").await, pods_and_claims(&arena).await);
    assert_eq!(before.1.len(), 4, "{before:?}");
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &spec(&["anew"], "2Gi", "a", "2"))).await;
    arena
        .becomes(&STORES, "w1-anew", "/spec/volumeClaimTemplates/0/spec/resources/requests/storage", &json!("2Gi"))
        .await;
    arena.ready::<Objects>("w1").await;
    assert_ne!(arena.uid(&STORES, "w1-anew").await, before.0);
    assert_eq!(pods_and_claims(&arena).await, before.1);
    let requests = writes(arena.settled(mark).await);
    let of_stores: Vec<_> = requests
        .iter()
        .filter(|request| request.resource == "statefulsets")
        .map(|request| request.verb.as_str())
        .collect();
    assert_eq!(of_stores, ["patch", "delete", "patch"], "refused, deleted, made");
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_10_pods_that_do_not_fit_the_new_selector_go() {
    let arena = Arena::new("c-10-selector").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let with = |label: &str| {
        let mut spec = spec(&["workers", "anew"], "1Gi", "a", "1");
        spec["labels"] = json!({ "l": label });
        widget("w1", &spec)
    };
    arena.apply(&with("1")).await;
    arena.ready::<Objects>("w1").await;
    let (workers, before) = (arena.uid(&WORKERS, "w1").await, pods_and_claims(&arena).await);
    arena.apply(&with("2")).await;
    arena.becomes(&WORKERS, "w1", "/spec/selector/matchLabels/l", &json!("2")).await;
    arena.becomes(&STORES, "w1-anew", "/spec/selector/matchLabels/l", &json!("2")).await;
    arena.ready::<Objects>("w1").await;
    assert_ne!(arena.uid(&WORKERS, "w1").await, workers);
    eventually("only new Pods and the old claims", || async {
        let now = pods_and_claims(&arena).await;
        let old: Vec<_> = now.iter().filter(|object| before.contains(object)).collect();
        if now.len() == 4 && old.iter().all(|(name, _)| name.starts_with("PersistentVolumeClaim")) {
            Ok(())
        } else {
            Err(now.clone())
        }
    })
    .await;
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_10_what_is_not_declared_any_longer_goes_all_the_same() {
    let arena = Arena::new("c-10-prune").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let mut with_extra = spec(&["stores"], "1Gi", "a", "1");
    with_extra["extra"] = json!(true);
    arena.apply(&widget("w1", &with_extra)).await;
    arena.ready::<Objects>("w1").await;
    assert!(arena.uid(&PAGE, "w1-extra").await.is_some());
    arena.apply(&widget("w1", &spec(&["stores"], "2Gi", "a", "1"))).await;
    not_ready(&arena, "w1", "ImmutableFieldChange", &["StatefulSet `w1`"]).await;
    arena.gone(&PAGE, "w1-extra").await;
    assert!(arena.uid(&WIDGET, "w1").await.is_some());
    assert_eq!(arena.refused().await, [""; 0]);
}
