//! An owner without a namespace.

use e2e_tests::{Arena, Fleet, MANAGER, NEVER, condition_of, eventually};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::api::scheduling::v1::PriorityClass;
use kube::Api;
use kube::api::{DeleteParams, DynamicObject, ListParams};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(PriorityClass)]
#[set(value = 7, description = "of {owner}")]
struct Priority;

/// A fleet is called as the namespace that it fills.
#[derive(OwnedSet)]
#[owned_set(owner = Fleet, manager = "fleet-operator", labels("fleet" = "{owner}"))]
struct Objects {
    #[member(namespace = "{owner}")]
    config: Config,
    priority: Priority,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Fleet, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config { text: owner.spec.text.clone() }, priority: Priority })
    }
}

const CONFIG: KindId = KindId::of::<ConfigMap>();

/// All of it in one test: operators of kinds without a namespace would see each other's owners.
#[tokio::test]
async fn c_03_an_owner_without_a_namespace_owns_in_namespaces() {
    let arena = Arena::new("c-03").await;
    let name = arena.namespace.clone();
    let all: Api<DynamicObject> = Api::all_with(arena.admin.clone(), &KindId::of::<Fleet>().api_resource());
    let priorities: Api<PriorityClass> = Api::all(arena.admin.clone());
    let fleet = |text: &str| json!({ "apiVersion": "acme.example/v1", "kind": "Fleet", "metadata": { "name": name }, "spec": { "text": text } });
    let ready = |status: &'static str| {
        let (all, name) = (all.clone(), name.clone());
        async move {
            eventually(&format!("Ready={status} of {name}"), || async {
                let fleet = all.get(&name).await.unwrap();
                let ready = condition_of(&fleet, "Ready");
                let fresh = ready["observedGeneration"].as_i64() == fleet.metadata.generation;
                if fresh && ready["status"] == status { Ok(ready) } else { Err(fleet.data) }
            })
            .await
        }
    };
    let client = arena.account::<Rules>().await;
    arena.everywhere::<Rules>().await;
    let operator = arena.start::<Objects>(client.clone(), (), |controller| controller.resync(NEVER));
    arena.apply(&fleet("1")).await;
    ready("True").await;
    let controller = arena.at(&CONFIG, &name, "/metadata/ownerReferences/0").await;
    assert_eq!(
        (&controller["kind"], &controller["name"], &controller["controller"]),
        (&json!("Fleet"), &json!(name), &json!(true))
    );
    let owned = all.get(&name).await.unwrap().data["status"]["owned"].clone();
    let places: Vec<_> = owned.as_array().unwrap().iter().map(|owned| (&owned["kind"], &owned["namespace"])).collect();
    assert_eq!(places, [(&json!("ConfigMap"), &json!(name)), (&json!("PriorityClass"), &Value::Null)]);

    // Deleted, it is back in a moment; changed, too.
    let (start, before) = (Instant::now(), arena.uid(&CONFIG, &name).await);
    arena.delete(&CONFIG, &name).await;
    eventually("a new ConfigMap", || async {
        let now = arena.uid(&CONFIG, &name).await;
        if now.is_some() && now != before { Ok(()) } else { Err(now) }
    })
    .await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    arena.merge(MANAGER, &CONFIG, &name, json!({ "data": { "text": "theirs" } })).await;
    arena.becomes(&CONFIG, &name, "/data/text", &json!("1")).await;
    priorities.delete(&name, &DeleteParams::default()).await.unwrap();
    eventually("a new PriorityClass", || async {
        let now = priorities.get_opt(&name).await.unwrap();
        now.filter(|class| class.metadata.deletion_timestamp.is_none()).ok_or("none")
    })
    .await;
    arena.settled(arena.mark().await).await;

    // What goes wrong is an event about it.
    operator.stop().await;
    arena.delete(&CONFIG, &name).await;
    arena
        .apply_as("user", &json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } }))
        .await
        .unwrap();
    let _operator = arena.start::<Objects>(client, (), |controller| controller.resync(NEVER));
    let collision = ready("False").await;
    assert_eq!(collision["reason"], "NameCollision", "{collision}");
    let events: Api<Event> = Api::all(arena.admin.clone());
    eventually("an event", || async {
        let events = events.list(&ListParams::default()).await.unwrap().items;
        let about =
            |event: &Event| event.regarding.as_ref().is_some_and(|object| object.name.as_deref() == Some(&name));
        let reasons: Vec<_> = events.into_iter().filter(about).filter_map(|event| event.reason).collect();
        if reasons.contains(&"NameCollision".to_owned()) { Ok(()) } else { Err(reasons) }
    })
    .await;
    arena.delete(&CONFIG, &name).await;
    ready("True").await;
    // The end of it takes everything with it.
    all.delete(&name, &DeleteParams::foreground()).await.unwrap();
    arena.gone(&CONFIG, &name).await;
    eventually("the end of all", || async {
        let left = (all.get_opt(&name).await.unwrap().is_some(), priorities.get_opt(&name).await.unwrap().is_some());
        if left == (false, false) { Ok(()) } else { Err(left) }
    })
    .await;
    assert_eq!(arena.refused().await, [""; 0]);
}
