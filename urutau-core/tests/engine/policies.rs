//! How objects are written and removed when their struct says something else than usual.

use crate::arena::{Arena, eventually, sorted};
use crate::widgets::Widget;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::{CustomResource, CustomResourceExt, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, Kind, OwnedResource, OwnedSet, RbacRules, RuleSet};

/// A kind that the API server does not serve at first.
#[derive(CustomResource, Kind, Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, Default)]
#[kube(group = "engine.example", version = "v1", kind = "Gizmo", namespaced, derive = "Default")]
pub struct GizmoSpec {
    size: Option<i64>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, apply = once)]
pub struct Once {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, apply = recreate)]
#[set(immutable = true)]
pub struct Recreated {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(immutable = true)]
pub struct Stuck {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, on_removal = keep)]
#[set(data["text"] = "precious")]
pub struct Kept;

#[derive(OwnedResource)]
#[owned(ConfigMap, conflict = yield)]
pub struct Yielding {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, takes_over("legacy"))]
#[set(data["new"] = "1")]
pub struct Heir;

#[derive(OwnedResource)]
#[owned(Gizmo)]
#[set(spec.size = 3)]
pub struct Optional;

/// The first of the extras says which of them there is.
#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
pub struct Policies {
    #[member(name = "{owner}-once")]
    once: Option<Once>,
    #[member(name = "{owner}-recreated")]
    recreated: Option<Recreated>,
    #[member(name = "{owner}-stuck")]
    stuck: Option<Stuck>,
    #[member(name = "{owner}-kept")]
    kept: Option<Kept>,
    #[member(name = "{owner}-yielding")]
    yielding: Option<Yielding>,
    #[member(name = "{owner}-heir")]
    heir: Option<Heir>,
    #[member(optional_api)]
    optional: Option<Optional>,
}

#[derive(RbacRules)]
#[rbac(manages(Policies))]
pub struct PolicyRules;

impl Declare for Policies {
    type Settings = ();

    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let is = |name: &str| owner.spec.extras.iter().any(|extra| extra == name);
        let text = || owner.spec.text.clone();
        Ok(Self {
            once: is("once").then(|| Once { text: text() }),
            recreated: is("recreated").then(|| Recreated { text: text() }),
            stuck: is("stuck").then(|| Stuck { text: text() }),
            kept: is("kept").then_some(Kept),
            yielding: is("yielding").then(|| Yielding { text: text() }),
            heir: is("heir").then_some(Heir),
            optional: is("optional").then_some(Optional),
        })
    }
}

async fn arena() -> Arena {
    Arena::with(PolicyRules::RULES.policy_rules()).await
}

fn data(map: &ConfigMap) -> Value {
    json!(map.data)
}

#[tokio::test]
async fn once_is_created_and_never_changed() {
    let arena = arena().await;
    let _operator = arena.start_of::<Policies>().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "one", "extras": ["once"]})).await;
    arena.until_reason("w1", "Ready").await;
    let mark = arena.mark().await;
    maps.patch("w1-once", &PatchParams::default(), &Patch::Merge(&json!({"data": {"text": "theirs"}}))).await.unwrap();
    arena.widget("w1", json!({"text": "two", "extras": ["once"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    assert_eq!(data(&maps.get("w1-once").await.unwrap()), json!({"text": "theirs"}));
    assert_eq!(arena.writes(mark).await, ["patch widgets/status w1 200"]);
    maps.delete("w1-once", &DeleteParams::default()).await.unwrap();
    eventually("it is there again", || async {
        maps.get_opt("w1-once").await.unwrap().is_some_and(|map| data(&map) == json!({"text": "two"}))
    })
    .await;
}

#[tokio::test]
async fn c_10_what_can_not_be_changed_is_replaced_or_said() {
    let arena = arena().await;
    let _operator = arena.start_of::<Policies>().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "one", "extras": ["recreated"]})).await;
    arena.widget("w2", json!({"text": "one", "extras": ["stuck"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.until_reason("w2", "Ready").await;
    let uid = maps.get("w1-recreated").await.unwrap().uid();
    let mark = arena.mark().await;
    arena.widget("w1", json!({"text": "two", "extras": ["recreated"]})).await;
    arena.until_reason("w1", "Ready").await;
    let map = maps.get("w1-recreated").await.unwrap();
    assert!(map.uid() != uid && data(&map) == json!({"text": "two"}));
    let writes = sorted(arena.writes(mark).await);
    let objects: Vec<_> = writes.iter().filter(|write| write.contains("configmaps")).collect();
    assert_eq!(
        objects,
        [
            "delete configmaps w1-recreated 200",
            "patch configmaps w1-recreated 201",
            "patch configmaps w1-recreated 422"
        ]
    );

    arena.widget("w2", json!({"text": "two", "extras": ["stuck"]})).await;
    let message = arena.until_reason("w2", "ImmutableFieldChange").await;
    assert!(message.starts_with("ConfigMap `w2-stuck` can't be changed so, only replaced: data: "), "{message}");
    let mark = arena.mark().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let tries = arena.writes(mark).await.len();
    assert!(tries <= 3, "it is tried less and less often: {tries}");
    assert_eq!(data(&maps.get("w2-stuck").await.unwrap()), json!({"text": "one"}));
}

#[tokio::test]
async fn what_is_to_be_kept_stays_when_it_is_no_longer_declared() {
    let arena = arena().await;
    let _operator = arena.start_of::<Policies>().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "one", "extras": ["kept"]})).await;
    arena.until_reason("w1", "Ready").await;
    let other = json!({"metadata": {"labels": {"theirs": "x"}}});
    maps.patch("w1-kept", &PatchParams::default(), &Patch::Merge(&other)).await.unwrap();
    arena.widget("w1", json!({"text": "one"})).await;
    eventually("it is let go", || async { maps.get("w1-kept").await.unwrap().owner_references().is_empty() }).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    let map = maps.get("w1-kept").await.unwrap();
    assert_eq!((data(&map), map.labels().len()), (json!({"text": "precious"}), 1));
    let status = arena.api::<Widget>().get("w1").await.unwrap().status.unwrap();
    assert!(status.engine.owned.is_empty());
}

#[tokio::test]
async fn a_30_one_that_yields_leaves_a_field_to_whoever_took_it() {
    let arena = arena().await;
    let _operator = arena.start_of::<Policies>().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "one", "extras": ["yielding"]})).await;
    arena.until_reason("w1", "Ready").await;
    let params = PatchParams { field_manager: Some("editor".to_owned()), ..PatchParams::default() };
    maps.patch("w1-yielding", &params, &Patch::Merge(&json!({"data": {"text": "theirs"}}))).await.unwrap();
    let message = arena.until_reason("w1", "FieldConflict").await;
    assert!(message.contains("editor"), "{message}");
    assert_eq!(data(&maps.get("w1-yielding").await.unwrap()), json!({"text": "theirs"}));
}

#[tokio::test]
async fn a_24_what_an_earlier_operator_wrote_and_nobody_declares_goes() {
    let arena = arena().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "one", "extras": ["heir"]})).await;
    let uid = arena.api::<Widget>().get("w1").await.unwrap().uid().unwrap();
    let owner =
        json!({"apiVersion": "engine.example/v1", "kind": "Widget", "name": "w1", "uid": uid, "controller": true});
    let map = json!({"metadata": {"name": "w1-heir", "ownerReferences": [owner]}, "data": {"old": "1", "new": "0"}});
    let params = PostParams { field_manager: Some("legacy".to_owned()), ..PostParams::default() };
    maps.create(&params, &serde_json::from_value(map).unwrap()).await.unwrap();
    let other = PatchParams { field_manager: Some("other".to_owned()), ..PatchParams::default() };
    maps.patch("w1-heir", &other, &Patch::Merge(&json!({"data": {"theirs": "1"}}))).await.unwrap();
    let mark = arena.mark().await;
    let _operator = arena.start_of::<Policies>().await;
    arena.until_reason("w1", "Ready").await;
    assert_eq!(data(&maps.get("w1-heir").await.unwrap()), json!({"new": "1", "theirs": "1"}));
    arena.silence().await;
    let writes = sorted(arena.writes(mark).await);
    assert_eq!(
        writes[..3],
        ["get configmaps w1-heir 200", "patch configmaps w1-heir 200", "patch configmaps w1-heir 200"]
    );
}

#[tokio::test]
async fn a_kind_that_is_not_served_is_a_condition_until_it_is() {
    let arena = arena().await;
    let _operator = arena.start_of::<Policies>().await;
    arena.widget("w1", json!({"text": "one", "extras": ["once", "optional"]})).await;
    arena.until_reason("w1", "Ready").await;
    let (status, reason, message) = arena.condition("w1", "OptionalApisServed").await;
    assert_eq!((status.as_str(), reason.as_str()), ("False", "ApiMissing"));
    assert_eq!(message, "the API server does not serve Gizmo.engine.example");
    assert!(arena.api::<ConfigMap>().get_opt("w1-once").await.unwrap().is_some());
    arena.silence().await;
    arena.plane.install_crds(&[Gizmo::crd()]).await.unwrap();
    eventually("it is made when it can be", || async {
        arena.api::<Gizmo>().get_opt("w1").await.is_ok_and(|gizmo| gizmo.is_some())
    })
    .await;
    eventually("and that is said", || async { arena.condition("w1", "OptionalApisServed").await.0 == "True" }).await;
    arena.silence().await;
}
