//! Variables of containers, from the author and from the user.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, OFTEN, Widget, condition_of, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::EnvVar;
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment, takes_over("legacy"))]
#[set(spec { replicas = 0, template.spec.containers["main"].image = "main:1" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.template.spec.containers["main"].env)]
    env: Vec<EnvVar>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

/// What a user says wins over what the author says; what the user says twice is for `plan` to refuse.
fn merged(defaults: &[(String, String)], user: Vec<EnvVar>) -> Vec<EnvVar> {
    let default =
        |(name, value): &(String, String)| EnvVar { name: name.clone(), value: Some(value.clone()), value_from: None };
    let others = defaults.iter().filter(|(name, _)| user.iter().all(|variable| variable.name != *name));
    let mut all: Vec<_> = others.map(default).collect();
    all.extend(user);
    all
}

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let defaults: Vec<(String, String)> = owner.says("defaults")?;
        Ok(Self { workers: Workers { labels: pods(owner), env: merged(&defaults, owner.says("env")?) } })
    }
}

const WORKERS: KindId = KindId::of::<Deployment>();
const ENV: &str = "/spec/template/spec/containers/0/env";

#[tokio::test]
async fn a_17_the_users_variable_replaces_the_authors() {
    let arena = Arena::new("a-17").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let defaults = json!([["LOG_LEVEL", "info"], ["TZ", "UTC"]]);
    let from = json!({ "fieldRef": { "apiVersion": "v1", "fieldPath": "metadata.name" } });
    let tz = json!({ "name": "TZ", "value": "UTC" });
    let steps = [
        (json!([]), json!([{ "name": "LOG_LEVEL", "value": "info" }, tz])),
        (json!([{ "name": "LOG_LEVEL", "value": "debug" }]), json!([tz, { "name": "LOG_LEVEL", "value": "debug" }])),
        (json!([{ "name": "LOG_LEVEL", "valueFrom": from }]), json!([tz, { "name": "LOG_LEVEL", "valueFrom": from }])),
        (json!([{ "name": "LOG_LEVEL", "value": "debug" }]), json!([tz, { "name": "LOG_LEVEL", "value": "debug" }])),
    ];
    let mark = arena.mark().await;
    for (env, want) in &steps {
        arena.apply(&widget("w1", &json!({ "defaults": defaults, "env": env }))).await;
        arena.ready::<Objects>("w1").await;
        assert_eq!(arena.at(&WORKERS, "w1", ENV).await, *want);
    }
    assert_eq!(writes(arena.settled(mark).await).len(), steps.len());
    stays_silent(&arena, &[WORKERS]).await;

    // Twice by the user is for the user to mend.
    let before = arena.versions(&[WORKERS]).await;
    let twice = json!([{ "name": "A", "value": "1" }, { "name": "B", "value": "1" }, { "name": "A", "value": "2" }]);
    arena.apply(&widget("w1", &json!({ "env": twice }))).await;
    let owner = arena.condition(&KindId::of::<Widget>(), "w1", "Ready", "False").await;
    let ready = condition_of(&owner, "Ready");
    assert_eq!(ready["reason"], "Invalid");
    let message = ready["message"].as_str().unwrap();
    assert!(
        message.contains("spec.template.spec.containers[0].env[2]") && message.contains(r#"name="A""#),
        "{message}"
    );
    assert_eq!(arena.versions(&[WORKERS]).await, before);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_18_of_two_legacy_entries_of_one_name_the_declared_one_stays() {
    let lists = [
        json!([{ "name": "A", "value": "1" }, { "name": "A", "value": "2" }, { "name": "B", "value": "3" }]),
        json!([{ "name": "A", "value": "2" }, { "name": "A", "value": "1" }, { "name": "B", "value": "3" }]),
        json!([{ "name": "A", "value": "2" }, { "name": "B", "value": "3" }, { "name": "A", "value": "2" }]),
    ];
    let arena = Arena::new("a-18").await;
    for (i, legacy) in lists.iter().enumerate() {
        let name = format!("w{i}");
        let env = json!([{ "name": "A", "value": "2" }, { "name": "B", "value": "3" }]);
        let owner = arena.apply(&widget(&name, &json!({ "env": env }))).await;
        let legacy = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": name, "ownerReferences": [{
                "apiVersion": "acme.example/v1", "kind": "Widget", "name": name, "uid": owner.metadata.uid, "controller": true,
            }] },
            "spec": {
                "replicas": 0, "selector": { "matchLabels": { "app": name } },
                "template": { "metadata": { "labels": { "app": name } }, "spec": {
                    "containers": [{ "name": "main", "image": "main:1", "env": legacy }],
                } },
            },
        });
        let params =
            kube::api::PostParams { field_manager: Some("legacy".to_owned()), ..kube::api::PostParams::default() };
        arena.any(&WORKERS).create(&params, &serde_json::from_value(legacy).unwrap()).await.unwrap();
    }
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    for (i, legacy) in lists.iter().enumerate() {
        let name = format!("w{i}");
        at_rest::<Objects>(&arena, &name, arena.mark().await).await;
        let env = arena.at(&WORKERS, &name, ENV).await;
        let mut env: Vec<Value> = env.as_array().cloned().unwrap_or_default();
        env.sort_by_key(ToString::to_string);
        assert_eq!(json!(env), json!([{ "name": "A", "value": "2" }, { "name": "B", "value": "3" }]), "{legacy}");
    }
    stays_silent(&arena, &[WORKERS]).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
