//! K-03: one autoscaler goes before the other comes.

use super::trace::Trace;
use super::{Labels, Workers};
use e2e_tests::{Arena, OFTEN, Widget, condition_of, eventually, quiet, widget};
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use serde_json::{Value, json};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};
use urutau_operator::objects::{ScaleTarget, ScaledObject, Trigger};

#[derive(OwnedResource)]
#[owned(HorizontalPodAutoscaler)]
#[set(spec {
    max_replicas = 9,
    scale_target_ref { api_version = "apps/v1", kind = "Deployment", name = "{owner}" },
})]
struct Hpa;

#[derive(OwnedResource)]
#[owned(ScaledObject)]
#[set(spec { min_replica_count = 1, max_replica_count = 9 })]
struct Scaler {
    #[at(spec.scale_target_ref)]
    target: ScaleTarget,
    #[at(spec.triggers)]
    triggers: Vec<Trigger>,
}

/// What may be there besides: in a set of its own, as authors group things.
#[derive(OwnedSet)]
#[owned_set(name = "{owner}-old")]
struct Old {
    hpa: Option<Hpa>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    hpa: Option<Hpa>,
    old: Old,
    #[member(after(hpa, old, workers), optional_api)]
    scaler: Option<Scaler>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let name = owner.metadata.name.clone().unwrap_or_default();
        let keda: bool = owner.says("keda")?;
        let target = ScaleTarget { api_version: "apps/v1".into(), kind: "Deployment".into(), name: name.clone() };
        let trigger = Trigger { type_: "cpu".into(), metadata: Labels::from([("value".to_owned(), "50".to_owned())]) };
        Ok(Self {
            workers: Workers { labels: Labels::from([("app".to_owned(), name)]), replicas: None, version: None },
            hpa: (!keda).then_some(Hpa),
            old: Old { hpa: (!keda).then_some(Hpa) },
            scaler: keda.then(|| Scaler { target, triggers: vec![trigger] }),
        })
    }
}

const WIDGET: KindId = KindId::of::<Widget>();
const HPA: KindId = KindId::of::<HorizontalPodAutoscaler>();
const SCALER: KindId = KindId::of::<ScaledObject>();

/// Sees that an owner had one of each kind at no time.
async fn never_both(arena: &Arena, owner: &str, hpas: &Trace, scalers: &Trace) {
    let mut all: Vec<(u64, KindId, bool, Value)> = Vec::new();
    for (kind, trace) in [(HPA, hpas), (SCALER, scalers)] {
        let seen = trace.until_now(arena, &kind).await;
        let named =
            seen.into_iter().map(|(version, there, object)| (version, there, object["metadata"]["name"].clone()));
        let of_owner = named.filter(|(.., name)| name.as_str().is_some_and(|name| name.starts_with(owner)));
        all.extend(of_owner.map(|(version, there, name)| (version, kind, there, name)));
    }
    all.sort_by_key(|(version, ..)| *version);
    let mut there: Vec<(KindId, Value)> = Vec::new();
    for (_, kind, is_there, name) in all {
        there.retain(|known| *known != (kind, name.clone()));
        if is_there {
            there.push((kind, name));
        }
        let both = [HPA, SCALER].iter().all(|kind| there.iter().any(|(known, _)| known == kind));
        assert!(!both, "{there:?}");
    }
    assert_eq!(there, [(SCALER, json!(owner))]);
}

#[tokio::test]
async fn k_03_the_old_autoscaler_is_gone_before_the_new_one_comes() {
    let arena = Arena::new("k-03").await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    for name in ["w1", "w2"] {
        arena.apply(&widget(name, &json!({}))).await;
        arena.ready::<Objects>(name).await;
    }
    let (hpas, scalers) = (Trace::of(&arena, &HPA).await, Trace::of(&arena, &SCALER).await);
    arena.apply(&widget("w1", &json!({ "keda": true }))).await;
    arena.becomes(&SCALER, "w1", "/spec/maxReplicaCount", &json!(9)).await;
    arena.ready::<Objects>("w1").await;
    arena.settled(arena.mark().await).await;
    operator.stop().await;
    // The same while nobody looks.
    arena.apply(&widget("w2", &json!({ "keda": true }))).await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.becomes(&SCALER, "w2", "/spec/maxReplicaCount", &json!(9)).await;
    arena.ready::<Objects>("w2").await;
    arena.settled(arena.mark().await).await;
    for owner in ["w1", "w2"] {
        never_both(&arena, owner, &hpas, &scalers).await;
    }
    let deletes = arena.requests().await.into_iter().filter(|request| request.verb == "delete").count();
    assert_eq!(deletes, 4, "each is removed once");
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn k_03_the_new_one_waits_as_long_as_the_old_one_is_there() {
    let arena = Arena::new("k-03-held").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    let (hpas, scalers) = (Trace::of(&arena, &HPA).await, Trace::of(&arena, &SCALER).await);
    let finalizers = |list: Value| json!({ "metadata": { "finalizers": list } });
    arena.merge("other", &HPA, "w1-old", finalizers(json!(["other.example/busy"]))).await;
    arena.apply(&widget("w1", &json!({ "keda": true }))).await;
    let owner = eventually("a widget that waits for the removal", || async {
        let owner = arena.condition(&WIDGET, "w1", "Ready", "False").await;
        let ready = condition_of(&owner, "Ready");
        if ready["reason"] == "WaitingForRemoval" { Ok(ready) } else { Err(ready) }
    })
    .await;
    let message = owner["message"].as_str().unwrap();
    assert!(message.contains("HorizontalPodAutoscaler `w1-old`") && message.contains("ScaledObject `w1`"), "{message}");
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    quiet("a request", Duration::from_secs(1), || arena.since(mark)).await;
    arena.merge("other", &HPA, "w1-old", finalizers(json!([]))).await;
    arena.ready::<Objects>("w1").await;
    arena.gone(&HPA, "w1").await;
    never_both(&arena, "w1", &hpas, &scalers).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
