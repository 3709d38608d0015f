//! Operators of some namespaces: rights are asked for and used where they are needed, and nowhere else.

use e2e_tests::{Arena, NEVER, Widget, condition_of, eventually, widget};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::Api;
use kube::api::{DeleteParams, DynamicObject, ObjectMeta, Patch, PatchParams, PostParams};
use serde_json::json;
use urutau_core::rbac::{Need, Place, missing_rights};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet as _, Waiting};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data["team"])]
    team: String,
}

/// It shows what is said of its namespace, which lives in none.
#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", reads(Namespace))]
struct Objects {
    config: Result<Config, Waiting>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let namespace = inputs.get::<Namespace>(owner.metadata.namespace.as_deref().unwrap_or_default());
        let team = |namespace: &Namespace| namespace.metadata.labels.as_ref()?.get("team").cloned();
        Ok(Self { config: namespace.map(|namespace| Config { team: team(&namespace).unwrap_or_default() }) })
    }
}

/// What is held in single namespaces, and what is not.
#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Plain {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Plain))]
struct PlainRules;

impl Declare for Plain {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config { team: "none".to_owned() } })
    }
}

const WIDGET: KindId = KindId::of::<Widget>();

/// What is missing, as text, for an operator of these namespaces.
async fn missing(arena: &Arena, client: &kube::Client, need: &Need, namespaces: &[&str]) -> Vec<Option<String>> {
    let namespaces: Vec<String> = namespaces.iter().map(|&name| name.to_owned()).collect();
    let missing = missing_rights(client, need, &namespaces).await.unwrap();
    for one in &missing {
        let all = if one.namespace.is_some() || namespaces.is_empty() { &need.in_namespaces } else { &need.in_cluster };
        assert_eq!(&one.rules, all, "in {:?} of {}", one.namespace, arena.namespace);
    }
    missing.into_iter().map(|missing| missing.namespace).collect()
}

#[tokio::test]
async fn b_16_each_mode_is_asked_for_where_it_works() {
    let arena = Arena::new("b-16").await;
    let (a, b) = (arena.plane.namespace("b-16-a").await.unwrap(), arena.plane.namespace("b-16-b").await.unwrap());
    let client = arena.account::<PlainRules>().await;
    let need = Need::of_rules(PlainRules::RULES);
    let own = arena.namespace.as_str();
    let some = |name: &str| Some(name.to_owned());
    // Its own namespace.
    assert_eq!(missing(&arena, &client, &need, &[own]).await, []);
    // Namespaces a and b.
    assert_eq!(missing(&arena, &client, &need, &[&a, &b]).await, [some(&a), some(&b)]);
    arena.also_in::<PlainRules>(&a).await;
    assert_eq!(missing(&arena, &client, &need, &[&a, &b]).await, [some(&b)]);
    arena.also_in::<PlainRules>(&b).await;
    assert_eq!(missing(&arena, &client, &need, &[&a, &b]).await, []);
    // All, which three namespaces are not.
    assert_eq!(missing(&arena, &client, &need, &[]).await, [None]);
    arena.everywhere::<PlainRules>().await;
    assert_eq!(missing(&arena, &client, &need, &[]).await, []);
}

/// What lives in no namespace is asked for in the whole cluster, whatever the mode, and no namespace gives it.
#[tokio::test]
async fn b_16_what_lives_in_no_namespace_is_listed_as_such() {
    let arena = Arena::new("b-16").await;
    let client = arena.account::<Rules>().await;
    let need = Need::of_rules(Rules::RULES);
    let here = std::slice::from_ref(&arena.namespace);
    let missing = missing_rights(&client, &need, here).await.unwrap();
    let text: Vec<_> = missing.iter().map(ToString::to_string).collect();
    assert_eq!(text, ["get, list, watch on namespaces in the whole cluster"]);
    assert!(missing[0].patch("operator").starts_with("kubectl patch clusterrole operator "));
    arena.in_cluster(Rules::RULES.policy_rules_of(Place::Cluster)).await;
    assert_eq!(missing_rights(&client, &need, here).await.unwrap(), []);
}

#[tokio::test]
async fn b_21_a_namespace_that_comes_later_works_without_a_restart() {
    let arena = Arena::new("b-21").await;
    let later = format!("{}-later", arena.namespace);
    let client = arena.account::<PlainRules>().await;
    let mut health = None;
    let _operator = arena.start::<Plain>(client, (), |controller| {
        health = Some(controller.health());
        controller.namespaces([&arena.namespace, &later]).resync(NEVER)
    });
    let health = health.unwrap();
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Plain>("w1").await;
    let missing = health.missing();
    assert!(!health.is_ready() && missing.len() == 1 && missing[0].namespace.as_ref() == Some(&later), "{missing:?}");
    let namespaces: Api<Namespace> = Api::all(arena.admin.clone());
    let metadata = ObjectMeta { name: Some(later.clone()), ..ObjectMeta::default() };
    namespaces.create(&PostParams::default(), &Namespace { metadata, ..Namespace::default() }).await.unwrap();
    arena.also_in::<PlainRules>(&later).await;
    let widgets: Api<DynamicObject> = Api::namespaced_with(arena.admin.clone(), &later, &WIDGET.api_resource());
    let apply = Patch::Apply(widget("w2", &json!({})));
    widgets.patch("w2", &PatchParams::apply("admin"), &apply).await.unwrap();
    eventually("ready widget", || async {
        let ready = condition_of(&widgets.get("w2").await.unwrap(), "Ready");
        if ready["status"] == "True" { Ok(()) } else { Err(ready) }
    })
    .await;
    eventually("ready operator", || async { if health.is_ready() { Ok(()) } else { Err(health.missing()) } }).await;
    namespaces.delete(&later, &DeleteParams::background()).await.unwrap();
}

#[tokio::test]
async fn b_24_what_lives_in_no_namespace_is_read_by_an_operator_of_one() {
    let arena = Arena::new("b-24").await;
    let client = arena.account_with(Rules::RULES.policy_rules_of(Place::Namespaces)).await;
    arena.in_cluster(Rules::RULES.policy_rules_of(Place::Cluster)).await;
    let mut health = None;
    let _operator = arena.start::<Objects>(client, (), |controller| {
        health = Some(controller.health());
        controller.holds::<Rules>().resync(NEVER)
    });
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    let namespaces: Api<Namespace> = Api::all(arena.admin.clone());
    let label = Patch::Merge(json!({ "metadata": { "labels": { "team": "blue" } } }));
    namespaces.patch(&arena.namespace, &PatchParams::default(), &label).await.unwrap();
    arena.becomes(&KindId::of::<ConfigMap>(), "w1", "/data/team", &json!("blue")).await;
    eventually("ready operator", || async { if health.as_ref().unwrap().is_ready() { Ok(()) } else { Err(()) } }).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
