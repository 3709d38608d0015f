//! What an owner is looked at again for.

use e2e_tests::{Arena, Crowd, Line, Lost, MANAGER, NEVER, Widget, eventually, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page {
    #[at(data["said"])]
    said: String,
    #[at(data["annotated"])]
    annotated: Option<String>,
}

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec { replicas = 1, template.spec.containers["main"].image = "main:1" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    page: Page,
    workers: Option<Workers>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    /// Counts how often it is asked.
    type Settings = Crowd;
    fn declare(owner: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let _one = inputs.settings.join();
        let annotations = owner.metadata.annotations.clone().unwrap_or_default();
        let labels = BTreeMap::from([("app".to_owned(), "w1".to_owned())]);
        Ok(Self {
            page: Page { said: owner.says("said")?, annotated: annotations.get("example.com/say").cloned() },
            workers: owner.says::<bool>("workers")?.then_some(Workers { labels }),
        })
    }
}

const WIDGET: KindId = KindId::of::<Widget>();
const PAGE: KindId = KindId::of::<ConfigMap>();
const WORKERS: KindId = KindId::of::<Deployment>();

/// <https://github.com/kube-rs/kube/pull/1836>: an owner that is made anew has the generation of the one before, and what
/// looks only at that sees no change.
#[tokio::test]
async fn d_04_everything_that_counts_wakes() {
    let arena = Arena::new("d-04").await;
    let account = arena.account::<Rules>().await;
    // It looks at nothing by itself.
    let _operator = arena.start::<Objects>(account, Crowd::default(), |controller| controller.resync(NEVER));
    let say = |said: &str| widget("w1", &json!({ "said": said, "workers": true }));
    let mut before = arena.apply(&say("0")).await.metadata.uid;
    for round in 1..4 {
        let said = round.to_string();
        arena.delete(&WIDGET, "w1").await;
        let owner = arena.apply(&say(&said)).await.metadata;
        assert_ne!(owner.uid, before);
        assert_eq!(owner.generation, Some(1));
        arena.becomes(&PAGE, "w1", "/data/said", &json!(said)).await;
        arena.becomes(&PAGE, "w1", "/metadata/ownerReferences/0/uid", &json!(owner.uid)).await;
        before = owner.uid;
    }
    // A Deployment becomes available, with the generation that it has.
    arena.ready::<Objects>("w1").await;
    arena.becomes(&WORKERS, "w1", "/status/availableReplicas", &json!(1)).await;

    // Annotations do not count as a generation.
    let generation = arena.at(&WIDGET, "w1", "/metadata/generation").await;
    arena.merge(MANAGER, &WIDGET, "w1", json!({ "metadata": { "annotations": { "example.com/say": "a" } } })).await;
    arena.becomes(&PAGE, "w1", "/data/annotated", &json!("a")).await;
    assert_eq!(arena.at(&WIDGET, "w1", "/metadata/generation").await, generation);

    // An owner that goes is seen to go: what it owned is not made anew.
    arena.merge(MANAGER, &WIDGET, "w1", json!({ "metadata": { "finalizers": ["other.example/hold"] } })).await;
    arena.settled(arena.mark().await).await;
    arena.delete(&WIDGET, "w1").await;
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    arena.delete(&PAGE, "w1").await;
    arena.gone(&PAGE, "w1").await;
    assert!(arena.settled(mark).await.is_empty());
    arena.merge(MANAGER, &WIDGET, "w1", json!({ "metadata": { "finalizers": null } })).await;
    arena.gone(&WIDGET, "w1").await;
    assert_eq!(arena.refused().await, [""; 0]);
}

/// <https://github.com/kubermatic/kubermatic/issues/10660>: what leaves out events without a change leaves out the resync.
#[tokio::test]
async fn d_05_a_resync_looks_and_a_gap_is_seen() {
    let arena = Arena::new("d-05").await;
    let account = arena.account::<Rules>().await;
    let (looks, every) = (Crowd::default(), Duration::from_millis(500));
    let operator = arena.start::<Objects>(account.clone(), looks.clone(), |controller| controller.resync(every));
    arena.apply(&widget("w1", &json!({ "said": "1" }))).await;
    arena.ready::<Objects>("w1").await;
    arena.settled(arena.mark().await).await;
    let (start, before) = (Instant::now(), looks.all());
    eventually("ten looks", || async { if looks.all() >= before + 10 { Ok(()) } else { Err(looks.all()) } }).await;
    // Nine whole waits, each give or take a tenth, and what a busy machine adds.
    let least = every.mul_f64(9.0 * 0.9);
    assert!((least..least * 3).contains(&start.elapsed()), "{:?} for ten looks", start.elapsed());
    operator.stop().await;

    // What changes while no watch is there is seen when all is listed anew, though no generation tells.
    let line = Line::default();
    let _operator =
        arena.start::<Objects>(line.client(account), Crowd::default(), |controller| controller.resync(NEVER));
    arena.settled(arena.mark().await).await;
    for (how, watches) in [(Lost::Ended, 0), (Lost::Expired, 3)] {
        arena.next_second().await;
        line.cut();
        arena.merge(MANAGER, &PAGE, "w1", json!({ "data": { "said": "theirs" } })).await;
        let annotation = format!("{how:?}");
        let say = json!({ "metadata": { "annotations": { "example.com/say": annotation } } });
        arena.merge(MANAGER, &WIDGET, "w1", say).await;
        line.mend(how, watches);
        arena.becomes(&PAGE, "w1", "/data", &json!({ "said": "1", "annotated": annotation })).await;
    }
    // Deleted and made again, too.
    let uid = arena.uid(&PAGE, "w1").await;
    line.cut();
    arena.delete(&PAGE, "w1").await;
    line.mend(Lost::Expired, 3);
    eventually("another page", || async {
        let now = arena.uid(&PAGE, "w1").await;
        if now.is_some() && now != uid { Ok(()) } else { Err(now) }
    })
    .await;
    assert_ne!(arena.at(&PAGE, "w1", "/data/said").await, Value::Null);
    assert_eq!(arena.refused().await, [""; 0]);
}
