//! Quantities in every spelling: the API server stores another one, and that is no difference.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, OFTEN, Widget, widget};
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::autoscaling::v2::{HorizontalPodAutoscaler, MetricSpec};
use k8s_openapi::api::core::v1::{Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Volume};
use serde_json::json;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

/// Spellings of quantities; many are of one value.
const SPELLINGS: [&str; 24] = [
    "0.5",
    "500m",
    "1000m",
    "1",
    "1.0",
    "+1",
    "1024Mi",
    "1Gi",
    "1000M",
    "1G",
    "1e3",
    "1E3",
    "1k",
    "100e-1",
    "0.1",
    "1e-3",
    "1.5Gi",
    "1536Mi",
    "12e6",
    "1500000000m",
    "1024Gi",
    "0",
    "0m",
    "0.0",
];

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.replicas = 0)]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.template.spec.containers)]
    containers: Vec<Container>,
    #[at(spec.template.spec.volumes)]
    volumes: Vec<Volume>,
}

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 0, service_name = "{name}", template.spec.containers["main"].image = "main:1" })]
struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.volume_claim_templates)]
    claims: Vec<PersistentVolumeClaim>,
}

#[derive(OwnedResource)]
#[owned(HorizontalPodAutoscaler)]
#[set(spec { max_replicas = 3, scale_target_ref { kind = "Deployment", name = "elsewhere", api_version = "apps/v1" } })]
struct Scaler {
    #[at(spec.metrics)]
    metrics: Vec<MetricSpec>,
}

#[derive(OwnedResource)]
#[owned(LimitRange)]
struct Limits {
    #[at(spec.limits)]
    limits: Vec<LimitRangeItem>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    stores: Stores,
    scaler: Scaler,
    limits: Limits,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

fn each<T: serde::de::DeserializeOwned>(
    spellings: &[String],
    make: impl Fn(usize, &str) -> serde_json::Value,
) -> Vec<T> {
    let values = spellings.iter().enumerate().map(|(i, text)| make(i, text));
    values.map(|value| serde_json::from_value(value).unwrap()).collect()
}

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let spellings: Vec<String> = owner.says("spellings")?;
        let is_zero = |text: &&String| ["0", "0m", "0.0"].contains(&text.as_str());
        let positive: Vec<String> = spellings.iter().filter(|text| !is_zero(text)).cloned().collect();
        Ok(Self {
            workers: Workers {
                labels: pods(owner),
                containers: each(&spellings, |i, text| {
                    json!({ "name": format!("c{i}"), "image": "main:1", "resources": {
                        "requests": { "memory": text, "ephemeral-storage": text }, "limits": { "cpu": text },
                    }})
                }),
                volumes: each(
                    &spellings,
                    |i, text| json!({ "name": format!("v{i}"), "emptyDir": { "sizeLimit": text } }),
                ),
            },
            stores: Stores {
                labels: pods(owner),
                claims: each(&positive, |i, text| {
                    json!({ "metadata": { "name": format!("c{i}") }, "spec": {
                        "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": text } },
                    }})
                }),
            },
            scaler: Scaler {
                metrics: each(&positive, |i, text| {
                    json!({ "type": "Pods", "pods": { "metric": { "name": format!("m{i}") },
                                                      "target": { "type": "AverageValue", "averageValue": text } } })
                }),
            },
            limits: Limits {
                limits: each(&spellings[..1], |_, text| json!({ "type": "Container", "max": { "cpu": text } })),
            },
        })
    }
}

const WORKERS: KindId = KindId::of::<Deployment>();
const MEMORY: &str = "/spec/template/spec/containers/9/resources/requests/memory";

#[tokio::test]
async fn a_01_a_quantity_in_another_spelling_is_the_same_and_another_quantity_is_not() {
    let arena = Arena::new("a-01").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({ "spellings": SPELLINGS }))).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.len(), 4, "each object is written once: {requests:#?}");
    let kinds =
        [WORKERS, KindId::of::<StatefulSet>(), KindId::of::<HorizontalPodAutoscaler>(), KindId::of::<LimitRange>()];
    stays_silent(&arena, &kinds).await;

    // The same amount, written otherwise by another: the API server itself sees no change.
    assert_eq!(arena.at(&WORKERS, "w1", MEMORY).await, "1G");
    let mark = arena.mark().await;
    arena.edit(MANAGER, &WORKERS, "w1", "replace", MEMORY, json!("1000M")).await;
    assert!(writes(arena.settled(mark).await).is_empty());

    // Another amount is taken back, once.
    for other in ["1Gi", "999M", "0"] {
        let mark = arena.mark().await;
        arena.edit(MANAGER, &WORKERS, "w1", "replace", MEMORY, json!(other)).await;
        arena.becomes(&WORKERS, "w1", MEMORY, &json!("1G")).await;
        assert_eq!(writes(arena.settled(mark).await).len(), 1, "{other}");
    }

    // The owner says the same in other words: at most one write, and nothing moves.
    let before = arena.versions(&[KindId::of::<StatefulSet>()]).await;
    let same: Vec<_> = SPELLINGS.iter().map(|text| if *text == "1024Mi" { "1Gi" } else { text }).collect();
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({ "spellings": same }))).await;
    assert!(writes(at_rest::<Objects>(&arena, "w1", mark).await).len() <= 3);
    assert_eq!(arena.versions(&[KindId::of::<StatefulSet>()]).await, before);
    stays_silent(&arena, &kinds).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
