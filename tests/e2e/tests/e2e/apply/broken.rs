//! Managed fields that are sent where they have no place, or are broken; and one manager at two places.

use super::{at_rest, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, OFTEN, Relic, Widget, times, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;
use kube::api::{Api, Patch};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};
use urutau_operator::api::CDCPipeline;

/// An author who hands on what he has read.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page {
    #[at(metadata.labels)]
    labels: std::collections::BTreeMap<String, String>,
    #[at(data)]
    data: std::collections::BTreeMap<String, String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", reads(ConfigMap))]
struct Objects {
    page: Option<Page>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let page = inputs.get::<ConfigMap>("model").ok().map(|model| Page {
            labels: model.metadata.labels.clone().unwrap_or_default(),
            data: model.data.clone().unwrap_or_default(),
        });
        Ok(Self { page })
    }
}

const PAGE: KindId = KindId::of::<ConfigMap>();

/// <https://github.com/helm/helm/pull/31361>: an object that was read from the cluster is applied as it is, with all that only
/// the API server writes. Here the places of a struct are all that is sent, and `metadata` is closed to it but for labels
/// and annotations.
#[tokio::test]
async fn a_28_what_was_read_is_handed_on_without_what_is_the_servers() {
    let arena = Arena::new("a-28").await;
    arena
        .apply(&json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "model", "labels": { "l": "1" } },
            "data": { "k": "1" },
        }))
        .await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.becomes(&PAGE, "w1", "/data", &json!({ "k": "1" })).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    assert_eq!(arena.at(&PAGE, "w1", "/metadata/labels").await, json!({ "l": "1" }));
    stays_silent(&arena, &[PAGE]).await;

    // Entries that make no sense are refused by the API server, or left out. Whatever becomes of them, what is declared is
    // there in the end, and written no more often than that takes.
    let entry = |change: &dyn Fn(&mut Value)| {
        let mut entry = json!({
            "manager": MANAGER, "operation": "Update", "apiVersion": "v1", "time": "2026-01-01T00:00:00Z",
            "fieldsType": "FieldsV1", "fieldsV1": { "f:data": { "f:k": {} } },
        });
        change(&mut entry);
        entry
    };
    let broken = [
        entry(&|entry| drop(entry.as_object_mut().unwrap().remove("fieldsType"))),
        entry(&|entry| drop(entry.as_object_mut().unwrap().remove("apiVersion"))),
        entry(&|entry| entry["operation"] = json!("Guess")),
        entry(&|entry| entry["fieldsV1"] = json!({ "x:data": {} })),
        entry(&|entry| entry["fieldsV1"] = json!({})),
        entry(&|entry| entry["apiVersion"] = json!("v9")),
    ];
    let mark = arena.mark().await;
    for (number, entry) in broken.iter().enumerate() {
        arena.next_second().await;
        let patch = Patch::Merge(json!({ "metadata": { "managedFields": [entry] } }));
        // Some are refused.
        let _ = arena.try_patch(MANAGER, &PAGE, "w1", &patch).await;
        let value = Patch::Merge(json!({ "data": { "k": format!("theirs-{number}") } }));
        arena.try_patch(MANAGER, &PAGE, "w1", &value).await.unwrap();
        arena.becomes(&PAGE, "w1", "/data/k", &json!("1")).await;
    }
    let requests = writes(arena.settled(mark).await);
    assert!(requests.len() <= 3 * broken.len(), "{:#?}", times(&requests));
    stays_silent(&arena, &[PAGE]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

/// <https://github.com/stackabletech/operator-rs/pull/225>: two places that apply parts of one object under one name take from
/// each other what they said. An object that two members declare does not compile (see `same_name` among the messages);
/// what two loops write goes under two names.
#[tokio::test]
async fn a_29_objects_and_status_are_written_under_names_of_their_own() {
    let arena = Arena::new("a-29").await;
    arena
        .apply(
            &json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "model" }, "data": { "k": "1" } }),
        )
        .await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.becomes(&PAGE, "w1", "/data", &json!({ "k": "1" })).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    let managers = |managed: Value| {
        let entries = managed.as_array().cloned().unwrap_or_default();
        let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        entries.iter().map(|entry| (text(entry, "manager"), text(entry, "subresource"))).collect::<BTreeSet<_>>()
    };
    let pair = |manager: &str, subresource: &str| (manager.to_owned(), subresource.to_owned());
    let managed = "/metadata/managedFields";
    assert_eq!(managers(arena.at(&PAGE, "w1", managed).await), BTreeSet::from([pair("widget-operator", "")]));
    assert_eq!(
        managers(arena.at(&KindId::of::<Widget>(), "w1", managed).await),
        BTreeSet::from([pair("admin", ""), pair("widget-operator/status", "status")])
    );
}

/// <https://github.com/kubernetes/kubernetes/issues/75564>: a status in a manifest or in an apply of the whole is a claim to what
/// somebody else writes.
#[tokio::test]
async fn a_35_a_status_is_written_through_its_subresource_alone() {
    for crd in [Widget::crd(), Relic::crd(), CDCPipeline::crd()] {
        assert_eq!(serde_json::to_value(crd).unwrap().get("status"), None);
    }
    let arena = Arena::new("a-35").await;
    for _ in 0..2 {
        arena.install::<Widget>().await;
    }
    let crds: Api<CustomResourceDefinition> = Api::all(arena.admin.clone());
    let crd = crds.get("widgets.acme.example").await.unwrap();
    for entry in crd.metadata.managed_fields.unwrap() {
        let claims = serde_json::to_value(&entry.fields_v1).unwrap();
        assert!(claims.get("f:status").is_none() || entry.subresource.as_deref() == Some("status"), "{entry:?}");
    }

    // The status of an owner, while what it wants changes all the time.
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    for round in 0..20 {
        arena.apply(&widget("w1", &json!({ "round": round }))).await;
    }
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&KindId::of::<Widget>(), "w1", "/spec/round").await, 19);
    let requests = arena.settled(mark).await;
    let writes = requests.iter().filter(|request| request.resource == "widgets" && request.verb != "list");
    assert!(writes.clone().count() > 0 && writes.clone().all(|request| request.subresource == "status"));
    assert_eq!(arena.failed().await, [""; 0]);
}
