//! What others change: taken back where it is ours, left where it is theirs.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, NEVER, Operator, Widget, eventually, times, widget};
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Service};
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = 2, template.spec.containers["main"].image = "main:1" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.template.metadata.annotations["v"])]
    version: Option<String>,
}

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 1, service_name = "{name}", template.spec.containers["main"].image = "main:1" })]
struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(metadata.annotations["v"])]
    version: Option<String>,
}

#[derive(OwnedResource)]
#[owned(Service)]
#[set(metadata.labels["ours"] = "1", spec { selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front {
    #[at(metadata.annotations["v"])]
    version: Option<String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["a"] = "1", data["b"] = "2")]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    page: Page,
    front: Front,
    workers: Workers,
    stores: Stores,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let version: Option<String> = owner.says("version")?;
        let mut labels = pods(owner);
        let workers = Workers { labels: labels.clone(), version: version.clone() };
        labels.insert("of".to_owned(), "stores".to_owned());
        Ok(Self { page: Page, front: Front { version: version.clone() }, workers, stores: Stores { labels, version } })
    }
}

const WORKERS: KindId = KindId::of::<Deployment>();
const STORES: KindId = KindId::of::<StatefulSet>();
const FRONT: KindId = KindId::of::<Service>();
const PAGE: KindId = KindId::of::<ConfigMap>();
const KINDS: [KindId; 4] = [WORKERS, STORES, FRONT, PAGE];

async fn running(name: &str) -> (Arena, Operator) {
    let arena = Arena::new(name).await;
    // It looks at nothing by itself: what it sees, it is told.
    let operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    (arena, operator)
}

async fn scale(arena: &Arena, replicas: i32) {
    let params = PatchParams { field_manager: Some("kubectl".to_owned()), ..PatchParams::default() };
    let patch = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
    arena.api::<Deployment>().patch_scale("w1", &params, &patch).await.unwrap();
}

#[tokio::test]
async fn a_30_scaling_by_hand_is_taken_back_once() {
    let (arena, operator) = running("a-30").await;
    let mark = arena.mark().await;
    for replicas in [5, 0, 3] {
        scale(&arena, replicas).await;
        arena.becomes(&WORKERS, "w1", "/spec/replicas", &json!(2)).await;
    }
    let requests = writes(arena.settled(mark).await);
    assert_eq!(times(&requests).into_iter().collect::<Vec<_>>(), [("patch deployments w1".to_owned(), 3)]);
    // The same while nobody looks.
    operator.stop().await;
    scale(&arena, 5).await;
    let mark = arena.mark().await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.becomes(&WORKERS, "w1", "/spec/replicas", &json!(2)).await;
    let requests = writes(arena.settled(mark).await);
    assert_eq!(times(&requests).into_iter().collect::<Vec<_>>(), [("patch deployments w1".to_owned(), 1)]);
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

/// One way of changing an object, and the place that tells.
type Change = (&'static str, KindId, &'static str, Patch<Value>);

fn changes() -> Vec<Change> {
    let json_patch = |patch: Value| Patch::Json::<Value>(serde_json::from_value(patch).unwrap());
    let image = "/spec/template/spec/containers/0/image";
    let set_image =
        json!({ "spec": { "template": { "spec": { "containers": [{ "name": "main", "image": "theirs:1" }] } } } });
    vec![
        ("kubectl set image", WORKERS, image, Patch::Strategic(set_image.clone())),
        ("kubectl set image", STORES, image, Patch::Strategic(set_image)),
        ("a key is deleted", PAGE, "/data/a", json_patch(json!([{ "op": "remove", "path": "/data/a" }]))),
        ("all keys are deleted", PAGE, "/data", Patch::Merge(json!({ "data": null }))),
        ("a key is changed", PAGE, "/data/b", Patch::Merge(json!({ "data": { "b": "3" } }))),
        ("a label goes", FRONT, "/metadata/labels", Patch::Merge(json!({ "metadata": { "labels": null } }))),
        (
            "a port is renamed",
            FRONT,
            "/spec/ports/0/name",
            json_patch(json!([{ "op": "replace", "path": "/spec/ports/0/name", "value": "x" }])),
        ),
        ("a selector grows", FRONT, "/spec/selector", Patch::Merge(json!({ "spec": { "selector": { "app": "x" } } }))),
        ("replicas go", WORKERS, "/spec/replicas", Patch::Merge(json!({ "spec": { "replicas": null } }))),
    ]
}

#[tokio::test]
async fn a_31_what_is_changed_by_hand_is_seen_and_mended() {
    let (arena, _operator) = running("a-31").await;
    let mark = arena.mark().await;
    for (what, kind, path, patch) in changes() {
        arena.next_second().await;
        let declared = arena.at(&kind, "w1", path).await;
        let changed = arena.try_patch("kubectl", &kind, "w1", &patch).await.unwrap();
        let changed = serde_json::to_value(changed).unwrap().pointer(path).cloned().unwrap_or_default();
        assert_ne!(changed, declared, "{what}");
        arena.becomes(&kind, "w1", path, &declared).await;
    }
    let requests = writes(arena.settled(mark).await);
    assert_eq!(requests.len(), changes().len(), "each is mended once: {:#?}", times(&requests));
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_31_whoever_owns_it_afterwards() {
    let (arena, _operator) = running("a-31-how").await;
    let theirs =
        json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "w1" }, "data": { "a": "theirs" } });
    for manager in [MANAGER, "widget-operator", "widget-operator/status", "kubectl"] {
        arena.apply_as(manager, &theirs).await.unwrap();
        arena.becomes(&PAGE, "w1", "/data", &json!({ "a": "1", "b": "2" })).await;
        arena.becomes(&PAGE, "w1", "/metadata/ownerReferences/0/name", &json!("w1")).await;
    }
    // A whole object is put in its place.
    for kind in KINDS {
        let mut object = arena.any(&kind).get("w1").await.unwrap();
        let declared = object.data.clone();
        if kind == PAGE {
            object.data["data"] = json!({ "c": "3" });
        } else {
            object.metadata.owner_references = None;
        }
        object.metadata.managed_fields = None;
        object.metadata.resource_version = None;
        let params = PostParams { field_manager: Some("kubectl-replace".to_owned()), ..PostParams::default() };
        arena.any(&kind).replace("w1", &params, &object).await.unwrap();
        arena.becomes(&kind, "w1", "/metadata/ownerReferences/0/name", &json!("w1")).await;
        if kind == PAGE {
            arena.becomes(&PAGE, "w1", "/data/a", &declared["data"]["a"]).await;
            arena.becomes(&PAGE, "w1", "/data/b", &declared["data"]["b"]).await;
        }
    }
    arena.settled(arena.mark().await).await;
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_31_the_owner_reference_and_our_own_entry_come_back() {
    let (arena, _operator) = running("a-31-own").await;
    let patches = [
        json!({ "metadata": { "ownerReferences": null } }),
        json!({ "metadata": { "managedFields": [{}] } }),
        json!({ "metadata": { "ownerReferences": null, "managedFields": [{}] } }),
    ];
    let mark = arena.mark().await;
    for patch in &patches {
        arena.next_second().await;
        for kind in KINDS {
            let uid = arena.uid(&kind, "w1").await;
            arena.merge("kubectl", &kind, "w1", patch.clone()).await;
            eventually(&format!("our marks on {kind} after {patch}"), || async {
                let metadata = arena.at(&kind, "w1", "/metadata").await;
                if has_our_marks(&metadata) { Ok(()) } else { Err(metadata) }
            })
            .await;
            assert_eq!(arena.uid(&kind, "w1").await, uid, "it is the same object");
        }
    }
    let requests = writes(arena.settled(mark).await);
    assert_eq!(requests.len(), KINDS.len() * patches.len(), "{:#?}", times(&requests));
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

/// Whether an object is controlled by its owner, and has an entry of ours.
fn has_our_marks(metadata: &Value) -> bool {
    let owner = &metadata["ownerReferences"][0];
    let managed = metadata["managedFields"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours = |entry: &Value| entry["manager"] == "widget-operator" && entry["operation"] == "Apply";
    owner["controller"] == true && owner["blockOwnerDeletion"] == true && managed.iter().any(ours)
}

#[tokio::test]
async fn a_34_annotations_and_labels_of_others_are_theirs() {
    let (arena, _operator) = running("a-34").await;
    let pod = KindId::of::<Pod>();
    let uid = eventually("a Pod", || async { arena.uid(&pod, "w1-0").await.ok_or("none") }).await;
    let theirs = json!({ "metadata": {
        "annotations": { "other.example/x": "y", "deployment.other/revision": "7" }, "labels": { "other.example/team": "x" },
        "finalizers": [],
    } });
    let mark = arena.mark().await;
    for kind in KINDS {
        arena.merge(MANAGER, &kind, "w1", theirs.clone()).await;
    }
    assert!(writes(arena.settled(mark).await).is_empty());
    assert_eq!(arena.uid(&pod, "w1-0").await, Some(uid), "nothing restarted");
    let template = json!({ "spec": { "template": theirs } });
    for kind in [WORKERS, STORES] {
        arena.merge(MANAGER, &kind, "w1", template.clone()).await;
    }
    arena.settled(mark).await;
    assert!(writes(arena.since(mark).await).is_empty());

    // They survive the next real change.
    arena.apply(&widget("w1", &json!({ "version": "2" }))).await;
    at_rest::<Objects>(&arena, "w1", mark).await;
    for (kind, path) in [(FRONT, ""), (STORES, ""), (STORES, "/spec/template"), (WORKERS, "/spec/template")] {
        let at = |rest: &str| format!("{path}/metadata/{rest}");
        assert_eq!(arena.at(&kind, "w1", &at("annotations/other.example~1x")).await, "y", "{kind} {path}");
        assert_eq!(arena.at(&kind, "w1", &at("labels/other.example~1team")).await, "x", "{kind} {path}");
    }
    assert_eq!(arena.at(&FRONT, "w1", "/metadata/annotations/v").await, "2");
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
