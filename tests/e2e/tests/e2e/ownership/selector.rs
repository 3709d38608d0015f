//! Labels change from one version of an operator to the next; selectors don't.

use super::{Labels, writes};
use e2e_tests::{Arena, MANAGER, NEVER, Widget, eventually, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::api::ListParams;
use serde_json::json;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec.template.spec.containers["main"].image = "main:1")]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    pods: Labels,
    #[at(metadata.labels)]
    users: Labels,
}

impl Workers {
    fn of(owner: &Widget) -> Self {
        let pods = [("app.kubernetes.io/instance".to_owned(), owner.metadata.name.clone().unwrap_or_default())].into();
        let users = owner.metadata.labels.clone().unwrap_or_default();
        Self { pods, users }
    }
}

macro_rules! version {
    ($set:ident, $rules:ident, $version:literal) => {
        #[derive(OwnedSet)]
        #[owned_set(owner = Widget, manager = "widget-operator")]
        #[owned_set(labels("app.kubernetes.io/version" = $version, "app.kubernetes.io/part-of" = "widgets"))]
        struct $set {
            workers: Workers,
        }

        #[derive(RbacRules)]
        #[rbac(manages($set))]
        struct $rules;

        impl Declare for $set {
            type Settings = ();
            fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
                Ok(Self { workers: Workers::of(owner) })
            }
        }
    };
}
version!(First, FirstRules, "1");
version!(Second, SecondRules, "2");

const WORKERS: KindId = KindId::of::<Deployment>();

async fn pods(arena: &Arena) -> Vec<Option<String>> {
    let list = arena.api::<Pod>().list(&ListParams::default()).await.unwrap();
    list.items.into_iter().map(|pod| pod.metadata.uid).collect()
}

#[tokio::test]
async fn c_12_labels_change_and_the_selector_does_not() {
    let arena = Arena::new("c-12").await;
    let operator = arena.looking::<First, FirstRules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<First>("w1").await;
    let (uid, before) = (arena.uid(&WORKERS, "w1").await, pods(&arena).await);
    let selector = arena.at(&WORKERS, "w1", "/spec/selector").await;
    operator.stop().await;

    let mark = arena.mark().await;
    let _operator = arena.looking::<Second, SecondRules>(NEVER).await;
    arena.becomes(&WORKERS, "w1", "/metadata/labels/app.kubernetes.io~1version", &json!("2")).await;
    arena.ready::<Second>("w1").await;
    // A user's label, written by anybody, reaches the objects without a new generation.
    arena.merge(MANAGER, &super::WIDGET, "w1", json!({ "metadata": { "labels": { "team": "a" } } })).await;
    arena.becomes(&WORKERS, "w1", "/metadata/labels/team", &json!("a")).await;
    let requests = writes(arena.settled(mark).await);
    assert_eq!(requests.len(), 2, "{requests:#?}");
    eventually("the same Pods", || async {
        let now = pods(&arena).await;
        if now == before { Ok(()) } else { Err(now) }
    })
    .await;
    assert_eq!(arena.uid(&WORKERS, "w1").await, uid);
    assert_eq!(arena.at(&WORKERS, "w1", "/spec/selector").await, selector);
    assert_eq!(arena.failed().await, [""; 0]);
}
