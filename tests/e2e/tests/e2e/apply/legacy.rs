//! Objects that an earlier operator made in other ways.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, NEVER, Widget, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::PostParams;
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment, takes_over("widget-operator", "kubectl-client-side-apply"))]
#[set(metadata.labels["new"] = "1", spec { replicas = 0, template.spec.containers["main"].image = "main:2" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["k"] = "2")]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { workers: Workers { labels: pods(owner) }, page: Page })
    }
}

const WORKERS: KindId = KindId::of::<Deployment>();
const PAGE: KindId = KindId::of::<ConfigMap>();

async fn post(
    arena: &Arena,
    kind: &KindId,
    manager: Option<&str>,
    mut object: Value,
    owner: &kube::api::DynamicObject,
) {
    object["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "acme.example/v1", "kind": "Widget", "name": owner.metadata.name, "uid": owner.metadata.uid,
        "controller": true,
    }]);
    let params = PostParams { field_manager: manager.map(ToOwned::to_owned), ..PostParams::default() };
    arena.any(kind).create(&params, &serde_json::from_value(object).unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_24_what_an_earlier_version_wrote_by_updating_goes() {
    let arena = Arena::new("a-24").await;
    let owner = arena.apply(&widget("w1", &json!({}))).await;
    let old = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "w1", "labels": { "old": "1" } },
        "spec": {
            "replicas": 0, "selector": { "matchLabels": { "app": "w1" } },
            "template": { "metadata": { "labels": { "app": "w1" } }, "spec": { "containers": [
                { "name": "main", "image": "main:1", "env": [{ "name": "OLD", "value": "1" }] },
            ] } },
        },
    });
    post(&arena, &WORKERS, Some("widget-operator"), old, &owner).await;
    arena
        .merge("kubectl-client-side-apply", &WORKERS, "w1", json!({ "metadata": { "labels": { "by-hand": "1" } } }))
        .await;
    arena.merge(MANAGER, &WORKERS, "w1", json!({ "metadata": { "labels": { "foreign": "1" } } })).await;

    let mark = arena.mark().await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.iter().filter(|request| request.resource == "deployments").count(), 2, "{requests:#?}");
    assert_eq!(arena.at(&WORKERS, "w1", "/metadata/labels").await, json!({ "new": "1", "foreign": "1" }));
    let container = arena.at(&WORKERS, "w1", "/spec/template/spec/containers/0").await;
    assert_eq!((&container["image"], &container["env"]), (&json!("main:2"), &Value::Null));
    let managed = arena.at(&WORKERS, "w1", "/metadata/managedFields").await;
    let managers: Vec<_> = managed
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["manager"].as_str().unwrap(),
                entry["operation"].as_str().unwrap(),
                entry["subresource"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert!(managers.contains(&("widget-operator", "Apply", "")), "{managers:?}");
    assert!(managers.contains(&(MANAGER, "Update", "")), "{managers:?}");
    assert!(!managers.contains(&("widget-operator", "Update", "")), "{managers:?}");
    assert!(!managers.iter().any(|(manager, ..)| *manager == "kubectl-client-side-apply"), "{managers:?}");
    assert!(managers.iter().any(|(_, _, subresource)| *subresource == "status"), "{managers:?}");
    stays_silent(&arena, &[WORKERS, PAGE]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_25_what_nobody_is_known_to_have_written_is_taken_back_where_it_is_declared() {
    let arena = Arena::new("a-25").await;
    let owner = arena.apply(&widget("w1", &json!({}))).await;
    let page = json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "w1" }, "data": { "k": "1", "other": "1" } });
    post(&arena, &PAGE, None, page, &owner).await;
    // As if it came from before there were managed fields.
    arena.merge(MANAGER, &PAGE, "w1", json!({ "metadata": { "managedFields": [{}] } })).await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    assert_eq!(arena.at(&PAGE, "w1", "/data").await, json!({ "k": "2", "other": "1" }));
    stays_silent(&arena, &[WORKERS, PAGE]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
