//! Names that are taken already.

use super::{WIDGET, not_ready, reference, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, NEVER, OFTEN, Widget, quiet, widget};
use k8s_openapi::api::core::v1::{ConfigMap, Secret, Service};
use serde_json::{Value, json};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data["k"])]
    value: String,
}

#[derive(OwnedResource)]
#[owned(Secret, takes_over("user"))]
#[set(string_data["k"] = "ours")]
struct Hidden;

#[derive(OwnedResource)]
#[owned(Service, apply = recreate)]
#[set(spec { cluster_ip = "None", selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{shared}")]
struct Shared {
    shared: String,
    #[at(data["by"])]
    by: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-other")]
#[set(data["k"] = "other")]
struct Other;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}-config", labels("of" = "{owner}"))]
struct Objects {
    config: Config,
    hidden: Hidden,
    front: Front,
    shared: Option<Shared>,
    other: Other,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let by = owner.metadata.name.clone().unwrap_or_default();
        Ok(Self {
            config: Config { value: owner.says("value")? },
            hidden: Hidden,
            front: Front,
            shared: owner.says::<Option<_>>("shared")?.map(|shared| Shared { shared, by }),
            other: Other,
        })
    }
}

const CONFIG: KindId = KindId::of::<ConfigMap>();
const HIDDEN: KindId = KindId::of::<Secret>();
const FRONT: KindId = KindId::of::<Service>();

/// A user's object of each kind, under a name that the set wants.
fn users(kind: &KindId, name: &str) -> Value {
    let content = match kind.kind {
        "ConfigMap" => json!({ "data": { "k": "theirs" }, "immutable": true }),
        "Secret" => json!({ "data": { "k": "dGhlaXJz" } }),
        _ => json!({ "spec": { "ports": [{ "port": 1 }] } }),
    };
    let mut object =
        json!({ "apiVersion": "v1", "kind": kind.kind, "metadata": { "name": name, "labels": { "of": "w1" } } });
    object.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
    object
}

#[tokio::test]
async fn c_04_what_is_a_users_is_never_touched() {
    let arena = Arena::new("c-04").await;
    // Whoever wrote it, and though it looks like ours.
    let kinds = [(CONFIG, "user"), (HIDDEN, "user"), (FRONT, "widget-operator")];
    for (kind, manager) in kinds {
        arena.apply_as(manager, &users(&kind, "w1-config")).await.unwrap();
    }
    let versions = || async {
        [
            uid_and_version(&arena, &CONFIG).await,
            uid_and_version(&arena, &HIDDEN).await,
            uid_and_version(&arena, &FRONT).await,
        ]
    };
    let before = versions().await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({ "value": "ours" }))).await;
    let message = not_ready(
        &arena,
        "w1",
        "NameCollision",
        &["ConfigMap `w1-config`", "Secret `w1-config`", "Service `w1-config`"],
    )
    .await;
    assert!(message.contains("nobody"), "it says whose they are: {message}");
    arena.becomes(&CONFIG, "w1-other", "/data/k", &json!("other")).await;
    let requests = arena.settled(mark).await;
    let gets = requests.iter().filter(|request| request.verb == "get").count();
    assert!(gets <= 3, "each is looked at once: {requests:#?}");
    stays_silent(&arena).await;
    // A change of the owner and a restart make no difference.
    arena.apply(&widget("w1", &json!({ "value": "newer" }))).await;
    not_ready(&arena, "w1", "NameCollision", &["ConfigMap `w1-config`"]).await;
    operator.stop().await;
    let operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.settled(arena.mark().await).await;
    assert_eq!(versions().await, before);
    // The owner goes, and takes only its own with it.
    arena.delete(&WIDGET, "w1").await;
    arena.gone(&CONFIG, "w1-other").await;
    arena.settled(mark).await;
    operator.stop().await;
    assert_eq!(versions().await, before);
    assert_eq!(arena.refused().await, [""; 0]);
}

async fn uid_and_version(arena: &Arena, kind: &KindId) -> (Value, Value) {
    let metadata = arena.at(kind, "w1-config", "/metadata").await;
    (metadata["uid"].clone(), metadata["resourceVersion"].clone())
}

#[tokio::test]
async fn c_06_what_was_blocked_goes_on_when_the_blocker_is_gone() {
    let arena = Arena::new("c-06").await;
    // It looks at nothing by itself: it has to hear of it.
    let mut operator = Some(arena.looking::<Objects, Rules>(NEVER).await);
    for (kind, name, down) in [(CONFIG, "w1", false), (FRONT, "w2", false), (HIDDEN, "w3", true)] {
        let object = format!("{name}-config");
        arena.apply_as("user", &users(&kind, &object)).await.unwrap();
        let blocker = arena.uid(&kind, &object).await;
        arena.apply(&widget(name, &json!({ "value": "ours" }))).await;
        not_ready(&arena, name, "NameCollision", &[&object]).await;
        arena.settled(arena.mark().await).await;
        if down && let Some(operator) = operator.take() {
            operator.stop().await;
        }
        arena.delete(&kind, &object).await;
        if down {
            operator = Some(arena.looking::<Objects, Rules>(NEVER).await);
        }
        arena.ready::<Objects>(name).await;
        assert_ne!(arena.uid(&kind, &object).await, blocker);
        assert_eq!(arena.at(&kind, &object, "/metadata/ownerReferences/0/name").await, name);
    }
    // It is handed over by whoever had it.
    arena.apply_as("user", &users(&HIDDEN, "w4-config")).await.unwrap();
    let uid = arena.uid(&HIDDEN, "w4-config").await;
    let owner = arena.apply(&widget("w4", &json!({ "value": "ours" }))).await;
    not_ready(&arena, "w4", "NameCollision", &["w4-config"]).await;
    let ours = json!({ "metadata": { "ownerReferences": [reference(&owner, true)] } });
    arena.merge(MANAGER, &HIDDEN, "w4-config", ours).await;
    arena.ready::<Objects>("w4").await;
    assert_eq!(arena.uid(&HIDDEN, "w4-config").await, uid, "it is kept");
    assert_eq!(arena.at(&HIDDEN, "w4-config", "/data/k").await, "b3Vycw==");
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_07_what_has_another_controller_is_left_to_it() {
    let arena = Arena::new("c-07").await;
    let boss = arena.apply(&json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "boss" } })).await;
    let mut object = users(&CONFIG, "w1-config");
    object["metadata"]["ownerReferences"] = json!([reference(&boss, true)]);
    arena.apply(&object).await;
    let before = uid_and_version(&arena, &CONFIG).await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "value": "ours" }))).await;
    not_ready(&arena, "w1", "NameCollision", &["ConfigMap `w1-config`", "ConfigMap `boss`"]).await;
    arena.settled(arena.mark().await).await;
    stays_silent(&arena).await;
    assert_eq!(uid_and_version(&arena, &CONFIG).await, before);

    // Owners that are no controllers are no rivals, and stay.
    arena.apply(&widget("w2", &json!({ "value": "ours" }))).await;
    arena.ready::<Objects>("w2").await;
    let plain = json!([{ "op": "add", "path": "/metadata/ownerReferences/-", "value": reference(&boss, false) }]);
    let plain = kube::api::Patch::Json(serde_json::from_value(plain).unwrap());
    arena.try_patch(MANAGER, &CONFIG, "w2-config", &plain).await.unwrap();
    arena.apply(&widget("w2", &json!({ "value": "newer" }))).await;
    arena.becomes(&CONFIG, "w2-config", "/data/k", &json!("newer")).await;
    let owners = arena.at(&CONFIG, "w2-config", "/metadata/ownerReferences").await;
    assert_eq!(owners.as_array().unwrap().len(), 2, "{owners}");
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_07_of_two_owners_that_want_one_name_the_first_has_it() {
    let arena = Arena::new("c-07-two").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let spec = json!({ "value": "ours", "shared": "commons" });
    arena.apply(&widget("w1", &spec)).await;
    arena.ready::<Objects>("w1").await;
    arena.apply(&widget("w2", &spec)).await;
    not_ready(&arena, "w2", "NameCollision", &["ConfigMap `commons`", "Widget `w1`"]).await;
    assert_eq!(arena.at(&CONFIG, "commons", "/data/by").await, "w1");
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    quiet("a write", Duration::from_secs(2), || async { writes(arena.since(mark).await) }).await;
    // The first one does not want it any longer: the other one gets it.
    arena.apply(&widget("w1", &json!({ "value": "ours" }))).await;
    arena.ready::<Objects>("w2").await;
    assert_eq!(arena.at(&CONFIG, "commons", "/data/by").await, "w2");
    // And back, by the end of the second.
    arena.apply(&widget("w1", &spec)).await;
    not_ready(&arena, "w1", "NameCollision", &["ConfigMap `commons`", "Widget `w2`"]).await;
    arena.delete(&WIDGET, "w2").await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&CONFIG, "commons", "/data/by").await, "w1");
    assert_eq!(arena.refused().await, [""; 0]);
}
