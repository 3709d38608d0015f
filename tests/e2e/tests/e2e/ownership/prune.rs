//! What is no longer declared goes, and nothing else does.

use super::{WIDGET, reference, writes};
use e2e_tests::{Arena, Gate, MANAGER, NEVER, Widget, between, widget};
use futures::FutureExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret, Service};
use kube::api::ListParams;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, Waiting};

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front;

#[derive(OwnedResource)]
#[owned(Service, name = "{owner}-metrics")]
#[set(spec { selector["app"] = "{owner}", ports[9090].name = "metrics" })]
struct Metrics;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{item}")]
struct Item {
    #[at(data["item"])]
    item: String,
}

#[derive(OwnedResource)]
#[owned(Secret)]
#[set(string_data["k"] = "v")]
struct Hidden;

#[derive(OwnedSet)]
#[owned_set(name = "{owner}-monitoring")]
struct Monitoring {
    #[member(name = "{owner}-metrics")]
    metrics: Metrics,
    hidden: Hidden,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", labels("app" = "{owner}", "part-of" = "widgets"))]
struct Objects {
    front: Front,
    monitoring: Option<Monitoring>,
    items: Vec<Item>,
    waiting: Option<Result<Hidden, Waiting>>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let items: Vec<String> = owner.says("items")?;
        let waiting = owner.says::<Option<bool>>("waits")?;
        Ok(Self {
            front: Front,
            monitoring: owner.says::<bool>("monitored")?.then_some(Monitoring { metrics: Metrics, hidden: Hidden }),
            items: items.into_iter().map(|item| Item { item }).collect(),
            waiting: waiting.map(|waits| if waits { Err(Waiting::new("NotYet", "not yet")) } else { Ok(Hidden) }),
        })
    }
}

const KINDS: [KindId; 3] = [KindId::of::<Service>(), KindId::of::<ConfigMap>(), KindId::of::<Secret>()];
const CONFIG: KindId = KINDS[1];

/// The objects of these kinds in the namespace, but for those that Kubernetes puts there.
async fn left(arena: &Arena) -> BTreeSet<String> {
    let mut left = BTreeSet::new();
    for kind in KINDS {
        let list = arena.any(&kind).list(&ListParams::default()).await.unwrap();
        left.extend(
            list.items
                .into_iter()
                .filter_map(|object| object.metadata.name)
                .map(|name| format!("{} {name}", kind.kind)),
        );
    }
    left.remove("ConfigMap kube-root-ca.crt");
    left
}

async fn are_left(arena: &Arena, names: &[&str]) {
    let want: BTreeSet<_> = names.iter().map(|name| (*name).to_owned()).collect();
    e2e_tests::eventually(&format!("{names:?}"), || async {
        let now = left(arena).await;
        if now == want { Ok(()) } else { Err(now) }
    })
    .await;
}

#[tokio::test]
async fn c_15_only_what_is_ours_by_its_owner_goes() {
    let arena = Arena::new("c-15").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let owner = arena.apply(&widget("w1", &json!({}))).await;
    let other = arena.apply(&widget("w2", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    arena.ready::<Objects>("w2").await;
    let boss = arena.apply(&json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "boss" } })).await;
    let labels = json!({ "app": "w1", "part-of": "widgets" });
    let lookalikes = [
        ("w1-of-another", labels.clone(), json!([reference(&boss, true)])),
        ("w1-of-nobody", labels.clone(), json!([])),
        ("w1-not-controlled", labels.clone(), json!([reference(&owner, false)])),
        ("w1-stray", json!({}), json!([reference(&owner, true)])),
        ("w1-stray-like", labels, json!([reference(&owner, true), reference(&boss, false)])),
    ];
    for (name, labels, owners) in lookalikes {
        let metadata = json!({ "name": name, "labels": labels, "ownerReferences": owners });
        let object = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata });
        arena.apply_as(MANAGER, &object).await.unwrap();
    }
    are_left(
        &arena,
        &[
            "Service w1",
            "Service w2",
            "ConfigMap boss",
            "ConfigMap w1-of-another",
            "ConfigMap w1-of-nobody",
            "ConfigMap w1-not-controlled",
        ],
    )
    .await;
    // Every pass after it, too.
    arena.apply(&widget("w1", &json!({ "items": ["a"] }))).await;
    arena.ready::<Objects>("w1").await;
    arena.apply(&widget("w1", &json!({}))).await;
    are_left(
        &arena,
        &[
            "Service w1",
            "Service w2",
            "ConfigMap boss",
            "ConfigMap w1-of-another",
            "ConfigMap w1-of-nobody",
            "ConfigMap w1-not-controlled",
        ],
    )
    .await;
    assert!(other.metadata.uid.is_some());
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_16_what_is_turned_off_goes() {
    let arena = Arena::new("c-16").await;
    let mut operator = arena.looking::<Objects, Rules>(NEVER).await;
    let steps: &[(Value, &[&str])] = &[
        (
            json!({ "monitored": true, "items": ["a", "b"], "waits": false }),
            &[
                "Service w1",
                "Service w1-metrics",
                "Secret w1-monitoring",
                "Secret w1",
                "ConfigMap w1-a",
                "ConfigMap w1-b",
            ],
        ),
        (
            json!({ "items": ["b", "c"], "waits": false }),
            &["Service w1", "Secret w1", "ConfigMap w1-b", "ConfigMap w1-c"],
        ),
        // What waits stays as it is.
        (json!({ "items": [], "waits": true }), &["Service w1", "Secret w1"]),
        (json!({ "monitored": true }), &["Service w1", "Service w1-metrics", "Secret w1-monitoring"]),
        (json!({}), &["Service w1"]),
    ];
    for (spec, names) in steps {
        arena.apply(&widget("w1", spec)).await;
        are_left(&arena, names).await;
    }
    // And what was turned off while nobody looked.
    for (before, after) in [(0, 1), (1, 3), (3, 4)] {
        arena.apply(&widget("w1", &steps[before].0)).await;
        are_left(&arena, steps[before].1).await;
        arena.ready::<Objects>("w1").await;
        operator.stop().await;
        arena.apply(&widget("w1", &steps[after].0)).await;
        operator = arena.looking::<Objects, Rules>(NEVER).await;
        are_left(&arena, steps[after].1).await;
    }
    let mark = arena.mark().await;
    arena.settled(mark).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", labels("app" = "{owner}", "part-of" = "widgets"))]
struct Renamed {
    #[member(name = "{owner}-front")]
    front: Front,
    #[member(name = "{owner}-renamed")]
    hidden: Hidden,
}

#[derive(RbacRules)]
#[rbac(manages(Renamed))]
struct RenamedRules;

impl Declare for Renamed {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { front: Front, hidden: Hidden })
    }
}

#[tokio::test]
async fn c_16_what_the_next_version_names_otherwise_goes_after_the_new_one_is_there() {
    let arena = Arena::new("c-16-renamed").await;
    let operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({ "monitored": true, "waits": false }))).await;
    arena.ready::<Objects>("w1").await;
    operator.stop().await;
    let mark = arena.mark().await;
    let _operator = arena.looking::<Renamed, RenamedRules>(NEVER).await;
    are_left(&arena, &["Service w1-front", "Secret w1-renamed"]).await;
    // The status is written last of all.
    arena.becomes(&WIDGET, "w1", "/status/owned/2", &Value::Null).await;
    let requests = writes(arena.settled(mark).await);
    let order: Vec<_> = requests.iter().map(|request| request.verb.as_str()).collect();
    assert_eq!(order, ["patch", "patch", "delete", "delete", "delete", "delete"], "{requests:#?}");
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn c_17_what_took_the_place_of_what_is_to_go_stays() {
    let arena = Arena::new("c-17").await;
    let gate = Gate::default();
    let account = arena.account::<Rules>().await;
    let held = gate.clone();
    let client = between(account, move |method, uri| {
        let delete = *method == http::Method::DELETE && uri.path().contains("configmaps");
        let held = held.clone();
        async move {
            if delete {
                held.pass().await;
            }
        }
        .boxed()
    });
    let _operator = arena.start::<Objects>(client, (), |controller| controller.resync(NEVER));
    arena.apply(&widget("w1", &json!({ "items": ["a", "b"] }))).await;
    arena.ready::<Objects>("w1").await;
    arena.apply(&widget("w1", &json!({}))).await;
    gate.someone().await;
    // One is replaced by another's, one is gone already.
    arena.delete(&CONFIG, "w1-a").await;
    arena.delete(&CONFIG, "w1-b").await;
    let successor =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "w1-a" }, "data": { "k": "theirs" } });
    arena.apply(&successor).await;
    gate.open();
    arena.ready::<Objects>("w1").await;
    let requests = arena.settled(arena.mark().await).await;
    assert!(requests.is_empty(), "{requests:#?}");
    are_left(&arena, &["Service w1", "ConfigMap w1-a"]).await;
    assert_eq!(arena.at(&CONFIG, "w1-a", "/data/k").await, "theirs");
    let deletes = writes(arena.requests().await).into_iter().filter(|request| request.verb == "delete");
    let mut codes: Vec<_> = deletes.map(|request| request.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [404, 409], "it asked for the very objects that it meant");
    assert_eq!(arena.at(&WIDGET, "w1", "/status/owned").await.as_array().unwrap().len(), 1);
    assert_eq!(arena.refused().await, [""; 0]);
}
