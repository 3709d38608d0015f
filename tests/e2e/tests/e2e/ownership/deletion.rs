//! The end of owners.

use super::{WIDGET, writes};
use e2e_tests::{Arena, OFTEN, Widget, eventually, late, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret, Service, ServiceAccount};
use kube::api::{DeleteParams, ListParams};
use serde_json::json;
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec {
    selector.match_labels["app"] = "{owner}",
    template { metadata.labels["app"] = "{owner}", spec.containers["main"].image = "main:1" },
})]
struct Workers;

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["k"] = "ours")]
struct Page;

#[derive(OwnedResource)]
#[owned(Secret)]
#[set(string_data["k"] = "v")]
struct Hidden;

#[derive(OwnedResource)]
#[owned(ServiceAccount)]
struct Account;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    front: Front,
    page: Page,
    hidden: Hidden,
    account: Account,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { workers: Workers, front: Front, page: Page, hidden: Hidden, account: Account })
    }
}

const KINDS: [KindId; 6] = [
    WIDGET,
    KindId::of::<Deployment>(),
    KindId::of::<Service>(),
    KindId::of::<ConfigMap>(),
    KindId::of::<Secret>(),
    KindId::of::<ServiceAccount>(),
];

async fn left(arena: &Arena) -> Vec<String> {
    let mut left = Vec::new();
    for kind in KINDS {
        let list = arena.any(&kind).list(&ListParams::default()).await.unwrap();
        let names = list.items.into_iter().filter_map(|object| object.metadata.name);
        left.extend(names.filter(|name| name.starts_with('w')).map(|name| format!("{kind} {name}")));
    }
    left
}

#[tokio::test]
async fn c_20_nothing_is_made_again_of_what_goes_with_its_owner() {
    let arena = Arena::new("c-20").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    for params in [DeleteParams::foreground(), DeleteParams::background()] {
        let names = ["w1", "w2", "w3", "w4"];
        for name in names {
            arena.apply(&widget(name, &json!({}))).await;
        }
        for name in names {
            arena.ready::<Objects>(name).await;
        }
        arena.settled(arena.mark().await).await;
        let (mark, start) = (arena.mark().await, Instant::now());
        for name in names {
            arena.any(&WIDGET).delete(name, &params).await.unwrap();
        }
        eventually("the end of all", || async {
            let left = left(&arena).await;
            if left.is_empty() { Ok(()) } else { Err(left) }
        })
        .await;
        let took = start.elapsed();
        assert!(took < Duration::from_secs(20), "it took {took:?}");
        let requests = writes(arena.settled(mark).await);
        assert!(requests.is_empty(), "{requests:#?}");
        assert!(left(&arena).await.is_empty());
    }
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn c_20_nothing_is_made_again_though_the_end_of_the_owner_is_seen_late() {
    let arena = Arena::new("c-20-late").await;
    let client = late(arena.account::<Rules>().await, "/widgets", Duration::from_millis(1500));
    let _operator = arena.start::<Objects>(client, (), |controller| controller.resync(OFTEN));
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    arena.settled(arena.mark().await).await;
    // What is deleted and has a living owner comes back, though.
    let (page, before) = (KindId::of::<ConfigMap>(), arena.uid(&KindId::of::<ConfigMap>(), "w1").await);
    arena.delete(&page, "w1").await;
    eventually("a new page", || async {
        let now = arena.uid(&page, "w1").await;
        if now.is_some() && now != before { Ok(()) } else { Err(now) }
    })
    .await;
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    arena.any(&WIDGET).delete("w1", &DeleteParams::foreground()).await.unwrap();
    eventually("the end of all", || async {
        let left = left(&arena).await;
        if left.is_empty() { Ok(()) } else { Err(left) }
    })
    .await;
    let requests = writes(arena.settled(mark).await);
    assert!(requests.is_empty(), "{requests:#?}");
    assert!(left(&arena).await.is_empty());
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn c_18_what_an_earlier_owner_of_the_name_left_is_waited_out() {
    let arena = Arena::new("c-18").await;
    // As a backup brings it back: the name of the owner is right, and its uid is of the one that was.
    let stale = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "data": { "k": "old" },
        "metadata": { "name": "w1", "finalizers": ["acme.example/hold"], "ownerReferences": [{
            "apiVersion": "acme.example/v1", "kind": "Widget", "name": "w1", "controller": true,
            "uid": "00000000-0000-4000-8000-000000000000",
        }] },
    });
    arena.apply(&stale).await;
    let config = KindId::of::<ConfigMap>();
    let before = arena.uid(&config, "w1").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    super::not_ready(&arena, "w1", "WaitingForRemoval", &["ConfigMap `w1`"]).await;
    arena.becomes(&KindId::of::<Secret>(), "w1", "/metadata/ownerReferences/0/kind", &json!("Widget")).await;
    assert_eq!(arena.at(&config, "w1", "/data/k").await, "old", "it is left to the garbage collector");
    arena.merge("admin", &config, "w1", json!({ "metadata": { "finalizers": null } })).await;
    arena.ready::<Objects>("w1").await;
    assert_ne!(arena.uid(&config, "w1").await, before);
    assert_eq!(arena.at(&config, "w1", "/data/k").await, "ours");
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn an_owner_that_comes_again_gets_objects_of_its_own() {
    let arena = Arena::new("again").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let config = KindId::of::<ConfigMap>();
    let mut uids = Vec::new();
    for _ in 0..3 {
        let owner = arena.apply(&widget("w1", &json!({}))).await;
        eventually("an object of the new owner", || async {
            let uid = arena.at(&config, "w1", "/metadata/ownerReferences/0/uid").await;
            if uid == json!(owner.metadata.uid) { Ok(()) } else { Err(uid) }
        })
        .await;
        arena.ready::<Objects>("w1").await;
        let uid = arena.uid(&config, "w1").await;
        assert!(!uids.contains(&uid));
        uids.push(uid);
        // Gone at once, while what it owned is still there.
        arena.delete(&WIDGET, "w1").await;
        arena.gone(&WIDGET, "w1").await;
    }
    assert_eq!(arena.refused().await, [""; 0]);
}
