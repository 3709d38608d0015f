//! Claim templates, to which the API server and other releases add this and that.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, OFTEN, Widget, times, widget};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::PersistentVolumeClaim;
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(StatefulSet, apply = recreate)]
#[set(spec { replicas = 0, service_name = "{name}", template.spec.containers["main"].image = "main:1" })]
struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.volume_claim_templates)]
    claims: Vec<PersistentVolumeClaim>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    stores: Stores,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { stores: Stores { labels: pods(owner), claims: serde_json::from_value(json!([claim()])).unwrap() } })
    }
}

const STORES: KindId = KindId::of::<StatefulSet>();
const CLAIM: &str = "/spec/volumeClaimTemplates/0";

/// The least that a claim template can say.
fn claim() -> Value {
    json!({
        "metadata": { "name": "data" },
        "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
    })
}

/// <https://github.com/argoproj/argo-cd/issues/11143>: what the API server adds to a claim template is a difference for
/// ever, and one that can't be mended.
#[tokio::test]
async fn a_19_what_is_added_to_a_claim_template_is_no_difference() {
    let arena = Arena::new("a-19").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({}))).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.len(), 1, "{:#?}", times(&requests));
    let live = arena.at(&STORES, "w1", CLAIM).await;
    assert_eq!((&live["status"]["phase"], &live["spec"]["volumeMode"]), (&json!("Pending"), &json!("Filesystem")));
    stays_silent(&arena, &[STORES]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

/// <https://github.com/prometheus-operator/prometheus-operator/issues/2950>: a release that says `apiVersion` and `kind` in
/// a claim template, or no longer says them, takes that for a change of what can't change, and deletes the set.
#[tokio::test]
async fn a_20_a_claim_template_with_and_without_its_kind_is_the_same() {
    let arena = Arena::new("a-20").await;
    let owner = arena.apply(&widget("w1", &json!({}))).await;
    let mut said = claim();
    let older = |claim: &Value| {
        json!({
            "apiVersion": "apps/v1", "kind": "StatefulSet",
            "metadata": { "name": "w1", "ownerReferences": [{
                "apiVersion": "acme.example/v1", "kind": "Widget", "name": "w1", "uid": owner.metadata.uid,
                "controller": true, "blockOwnerDeletion": true,
            }] },
            "spec": {
                "replicas": 0, "serviceName": "w1", "selector": { "matchLabels": { "app": "w1" } },
                "template": {
                    "metadata": { "labels": { "app": "w1" } },
                    "spec": { "containers": [{ "name": "main", "image": "main:1" }] },
                },
                "volumeClaimTemplates": [claim],
            },
        })
    };
    let set = arena.apply_as("widget-operator", &older(&said)).await.unwrap();
    for kind in [None, Some(()), None] {
        let operator = arena.looking::<Objects, Rules>(OFTEN).await;
        arena.ready::<Objects>("w1").await;
        stays_silent(&arena, &[STORES]).await;
        operator.stop().await;
        if kind.is_some() {
            said["apiVersion"] = json!("v1");
            said["kind"] = json!("PersistentVolumeClaim");
        } else {
            said = claim();
        }
        // The other release does not see a change either.
        arena.next_second().await;
        arena.apply_as("widget-operator", &older(&said)).await.unwrap();
        let now = arena.any(&STORES).get("w1").await.unwrap().metadata;
        assert_eq!((now.uid, now.generation), (set.metadata.uid.clone(), set.metadata.generation));
    }
    assert_eq!(arena.failed().await, [""; 0]);
}
