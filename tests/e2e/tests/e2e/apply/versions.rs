//! Entries of managed fields that name a version which is gone.

use super::{at_rest, stays_silent, writes};
use e2e_tests::{Arena, NEVER, OFTEN, Relic, Widget, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;
use kube::api::{Api, ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Relic)]
struct Tool {
    #[at(spec.text)]
    text: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    tool: Tool,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { tool: Tool { text: owner.says("text")? } })
    }
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["k"] = "1")]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Relic, manager = "relic-operator")]
struct OfRelics {
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(OfRelics))]
struct RulesOfRelics;

impl Declare for OfRelics {
    type Settings = ();
    fn declare(_: &Relic, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { page: Page })
    }
}

const RELIC: KindId = KindId::of::<Relic>();

/// The definition of the kind, with the earlier version or without it.
fn definition(with_the_earlier: bool) -> CustomResourceDefinition {
    let mut crd = Relic::crd();
    if with_the_earlier {
        let mut earlier = crd.spec.versions[0].clone();
        (earlier.name, earlier.storage) = ("v1alpha1".to_owned(), false);
        crd.spec.versions.push(earlier);
    }
    crd
}

fn at_earlier_version(name: &str, more: &Value) -> Value {
    let mut object = json!({ "apiVersion": "acme.example/v1alpha1", "kind": "Relic", "metadata": { "name": name } });
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}

/// <https://github.com/kubernetes/kubernetes/issues/111937>: while an entry names a version that is no longer served, the
/// API server can't apply anything to the object.
#[tokio::test]
async fn a_26_an_entry_of_a_version_that_is_gone_is_no_obstacle() {
    let arena = Arena::new("a-26").await;
    arena.plane.install_crds(&[definition(true)]).await.unwrap();
    let owner = arena.apply(&widget("w1", &json!({ "text": "2" }))).await;
    let reference = json!([{
        "apiVersion": "acme.example/v1", "kind": "Widget", "name": "w1", "uid": owner.metadata.uid,
        "controller": true, "blockOwnerDeletion": true,
    }]);
    let label = |by: &str| json!({ "metadata": { "name": "w1", "labels": { by: "1" } } });
    let ours = json!({ "metadata": { "name": "w1", "ownerReferences": reference }, "spec": { "text": "1" } });
    arena.apply_as("widget-operator", &at_earlier_version("w1", &ours)).await.unwrap();
    arena.apply_as("old", &at_earlier_version("w1", &label("old"))).await.unwrap();
    let mut at_present = at_earlier_version("w1", &label("present"));
    at_present["apiVersion"] = json!("acme.example/v1");
    arena.apply_as("present", &at_present).await.unwrap();
    // The same of a status, which an earlier operator wrote.
    arena.apply_as("admin", &at_earlier_version("r1", &json!({ "spec": { "text": "r" } }))).await.unwrap();
    let relics = arena.any(&RELIC);
    let status = at_earlier_version("r1", &json!({ "status": { "observedGeneration": 0 } }));
    let earlier = kube::core::ApiResource {
        version: "v1alpha1".to_owned(),
        api_version: "acme.example/v1alpha1".to_owned(),
        ..RELIC.api_resource()
    };
    let earlier: Api<kube::api::DynamicObject> = Api::namespaced_with(arena.admin.clone(), &arena.namespace, &earlier);
    earlier
        .patch_status("r1", &PatchParams::apply("relic-operator/status").force(), &Patch::Apply(status))
        .await
        .unwrap();
    arena.plane.install_crds(&[definition(false)]).await.unwrap();
    e2e_tests::eventually("the end of the version", || async {
        match earlier.get_opt("w1").await {
            Err(_) => Ok(()),
            Ok(found) => found.map_or(Ok(()), |_| Err("it is served")),
        }
    })
    .await;

    let mark = arena.mark().await;
    let operator = arena.looking::<Objects, Rules>(NEVER).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    let codes: Vec<_> = requests.iter().map(|request| request.code).collect();
    assert_eq!(codes, [500, 200, 200], "it is refused once, mended and written: {requests:#?}");
    assert_eq!(arena.at(&RELIC, "w1", "/spec/text").await, "2");
    assert_eq!(arena.at(&RELIC, "w1", "/metadata/labels").await, json!({ "old": "1", "present": "1" }));
    let managed = arena.at(&RELIC, "w1", "/metadata/managedFields").await.to_string();
    assert!(!managed.contains("v1alpha1") && managed.contains("\"present\""), "{managed}");
    stays_silent(&arena, &[RELIC]).await;
    operator.stop().await;

    let _operator = arena.looking::<OfRelics, RulesOfRelics>(OFTEN).await;
    arena.ready::<OfRelics>("r1").await;
    let managed = serde_json::to_string(&relics.get("r1").await.unwrap().metadata.managed_fields).unwrap();
    assert!(!managed.contains("v1alpha1"), "{managed}");
    assert_eq!(relics.get("r1").await.unwrap().data["status"]["observedGeneration"], 1);
    let events = arena.api::<Event>().list(&ListParams::default()).await.unwrap();
    let of = |reason: &str| events.items.iter().filter(|event| event.reason.as_deref() == Some(reason)).count();
    assert_eq!(of("ManagedFieldsMended"), 2, "{:#?}", events.items);
    stays_silent(&arena, &[RELIC]).await;
}
