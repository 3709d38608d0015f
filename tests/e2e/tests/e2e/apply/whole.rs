//! Whole subtrees, which an author builds anew in each pass and without a thought of defaults.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, Widget, times, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{PodTemplateSpec, Service, ServiceSpec};
use k8s_openapi::api::networking::v1::{NetworkPolicy, NetworkPolicySpec};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec.replicas = 0)]
struct Workers {
    #[at(spec.selector.match_labels)]
    labels: Labels,
    #[at(spec.template)]
    template: PodTemplateSpec,
}

#[derive(OwnedResource)]
#[owned(NetworkPolicy)]
struct Wall {
    #[at(spec)]
    spec: NetworkPolicySpec,
}

#[derive(OwnedResource)]
#[owned(Service)]
struct Front {
    #[at(spec)]
    spec: ServiceSpec,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    wall: Wall,
    front: Front,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    /// How often it was declared.
    type Settings = Arc<AtomicUsize>;
    fn declare(owner: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        inputs.settings.fetch_add(1, Ordering::SeqCst);
        let template = json!({
            "metadata": { "labels": pods(owner) },
            "spec": { "containers": [{
                "name": "main", "image": "main:1", "ports": [{ "containerPort": 80 }],
                "env": [{ "name": "IP", "valueFrom": { "fieldRef": { "fieldPath": "status.podIP" } } }],
                "readinessProbe": { "httpGet": { "port": 80 } },
            }] },
        });
        let wall = json!({ "podSelector": {}, "ingress": [{ "ports": [{ "port": 80 }] }] });
        let front = json!({ "selector": pods(owner), "ports": [{ "port": 80 }] });
        Ok(Self {
            workers: Workers { labels: pods(owner), template: serde_json::from_value(template).unwrap() },
            wall: Wall { spec: serde_json::from_value(wall).unwrap() },
            front: Front { spec: serde_json::from_value(front).unwrap() },
        })
    }
}

const KINDS: [KindId; 3] = [KindId::of::<Deployment>(), KindId::of::<NetworkPolicy>(), KindId::of::<Service>()];

/// <https://github.com/kubernetes-sigs/controller-runtime/issues/2733>: what is built without the defaults of the API server
/// differs from what is there, and is written for ever.
#[tokio::test]
async fn a_36_what_is_built_without_defaults_is_written_once() {
    const LOOKS: usize = 100;
    let arena = Arena::new("a-36").await;
    let account = arena.account::<Rules>().await;
    let declared = Arc::new(AtomicUsize::new(0));
    let mark = arena.mark().await;
    let _operator = arena
        .start::<Objects>(account, Arc::clone(&declared), |controller| controller.resync(Duration::from_millis(20)));
    arena.apply(&widget("w1", &json!({}))).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.len(), KINDS.len(), "each is written once: {:#?}", times(&requests));
    e2e_tests::eventually("a hundred looks", || async {
        let looks = declared.load(Ordering::SeqCst);
        if looks > LOOKS { Ok(()) } else { Err(looks) }
    })
    .await;
    stays_silent(&arena, &KINDS).await;
    for kind in &KINDS[..2] {
        assert_eq!(arena.at(kind, "w1", "/metadata/generation").await, 1, "{kind}");
    }
    assert_eq!(arena.at(&KINDS[1], "w1", "/spec/ingress/0/ports/0/protocol").await, "TCP");
    assert_eq!(arena.at(&KINDS[2], "w1", "/spec/sessionAffinity").await, "None");
    assert_eq!(arena.failed().await, [""; 0]);
}
