//! What `manifests rbac` prints, with the API server as the judge: it is taken from whoever holds exactly what it hands
//! out and may write it, and from nobody who holds one piece less.

use super::oracle::{API, User, arrange};
use crate::pipeline::{NAME, example};
use e2e_tests::{Arena, Dice, eventually};
use futures::stream::{self, StreamExt as _};
use http::Method;
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::control_plane::service_account_user;
use urutau_core::rbac::{Missing, missing, normal_form, pieces};
use urutau_operator::cli;
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

const AT_ONCE: usize = 12;

/// A namespace, or nothing for the whole cluster, and a piece that is to be held there.
type Piece = (Option<String>, PolicyRule);

#[tokio::test]
async fn the_manifests_of_the_whole_cluster_take_what_they_hand_out() {
    let arena = Arena::new("manifests").await;
    judge(&arena, &cli::rbac(&arena.namespace, &[]).unwrap()).await;
}

#[tokio::test]
async fn the_manifests_of_namespaces_take_what_they_hand_out() {
    let arena = Arena::new("manifests-of").await;
    let (a, b) = (arena.plane.namespace("a").await.unwrap(), arena.plane.namespace("b").await.unwrap());
    judge(&arena, &cli::rbac(&arena.namespace, &[a, b]).unwrap()).await;
}

/// An operator that is installed for two namespaces works in both under what is installed there, and what is missing in
/// one is named with the role that is to have it.
#[tokio::test]
async fn b_21_what_is_installed_for_namespaces_is_enough_there() {
    let arena = Arena::new("b-21").await;
    let owners = [arena.namespace.clone(), arena.plane.namespace("b-21-other").await.unwrap()];
    let operator = arena.plane.namespace("b-21-operator").await.unwrap();
    let client = arena.plane.service_account(&operator, "urutau-operator").await.unwrap();
    let objects = cli::rbac(&operator, &owners).unwrap();
    let install = |in_namespace: usize| {
        let objects = objects.iter().filter(|object| kind(object) != "ServiceAccount");
        let objects: Vec<Value> = objects
            .filter(|object| namespace(object).is_none_or(|namespace| namespace == owners[in_namespace]))
            .cloned()
            .collect();
        let admin = &arena.admin;
        async move {
            for object in objects {
                arrange(admin, &object).await;
            }
        }
    };
    install(0).await;
    let mut health = None;
    let _operator = arena.start::<PipelineObjects>(client, Settings::default(), |controller| {
        health = Some(controller.health());
        controller.holds::<OperatorRules>().namespaces(&owners)
    });
    let health = health.unwrap();
    for object in example() {
        arena.apply(&object).await;
    }
    arena.ready::<PipelineObjects>(NAME).await;
    let missing = eventually("what is missing in the other namespace alone", || async {
        let missing = health.missing();
        let here = |missing: &Missing| missing.namespace.as_ref() == Some(&owners[1]);
        if !missing.is_empty() && missing.iter().all(here) { Ok(missing) } else { Err(missing) }
    })
    .await;
    let role = objects.iter().find(|object| kind(object) == "Role" && namespace(object).as_ref() == Some(&owners[1]));
    let role = role.unwrap()["metadata"]["name"].as_str().unwrap();
    let advice = missing[0].patch("urutau-operator");
    assert!(advice.starts_with(&format!("kubectl patch role {role} -n {} ", owners[1])), "{advice}");
    install(1).await;
    eventually("ready operator", || async { if health.is_ready() { Ok(()) } else { Err(health.missing()) } }).await;
    let asked = arena.plane.audited(&service_account_user(&operator, "urutau-operator")).await.unwrap();
    let refused = asked.iter().filter(|request| request.code == 403 && request.namespace == owners[0]);
    assert_eq!(refused.count(), 0);
}

async fn judge(arena: &Arena, objects: &[Value]) {
    // A binding is judged by the role that is there.
    for role in objects.iter().filter(|object| kind(object).ends_with("Role")) {
        arrange(&arena.admin, role).await;
    }
    let needed = needed(objects);
    assert!(needed.len() > 50, "{needed:?}");
    let user = |name: &str| User { admin: &arena.admin, name: format!("{}-{name}", arena.namespace) };
    assert_eq!(refused(&user("whole"), objects, &needed).await, None);
    let less = Dice::of("manifests").cases((0..needed.len()).collect());
    let unnoticed: Vec<&Piece> = stream::iter(less)
        .map(|at| {
            let (needed, user) = (&needed, user(&format!("less-{at}")));
            async move {
                let mut rest = needed.clone();
                rest.remove(at);
                refused(&user, objects, &rest).await.is_none().then_some(&needed[at])
            }
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(|unnoticed| async move { unnoticed })
        .collect()
        .await;
    assert!(unnoticed.is_empty(), "nothing is refused without {unnoticed:#?}");
}

fn kind(object: &Value) -> &str {
    object["kind"].as_str().unwrap()
}

/// The group and version, and the resource, of what stands in these manifests.
fn resource(object: &Value) -> (&'static str, &'static str) {
    match kind(object) {
        "ServiceAccount" => ("v1", "serviceaccounts"),
        "Role" => (API, "roles"),
        "ClusterRole" => (API, "clusterroles"),
        "RoleBinding" => (API, "rolebindings"),
        "ClusterRoleBinding" => (API, "clusterrolebindings"),
        other => panic!("{other} is new here"),
    }
}

fn namespace(object: &Value) -> Option<String> {
    object["metadata"]["namespace"].as_str().map(str::to_owned)
}

/// What has to be held to write these objects, each piece once: what the roles grant, and the right to write.
fn needed(objects: &[Value]) -> Vec<Piece> {
    let mut places: BTreeMap<Option<String>, Vec<PolicyRule>> = BTreeMap::new();
    for object in objects {
        let (version, resource) = resource(object);
        let rules = places.entry(namespace(object)).or_default();
        rules.push(PolicyRule {
            api_groups: Some(vec![version.split_once('/').map_or("", |(group, _)| group).to_owned()]),
            resources: Some(vec![resource.to_owned()]),
            verbs: vec!["create".to_owned()],
            ..PolicyRule::default()
        });
        if let Some(granted) = object.get("rules") {
            rules.extend(serde_json::from_value::<Vec<PolicyRule>>(granted.clone()).unwrap());
        }
    }
    let everywhere = normal_form(&places.remove(&None).unwrap_or_default());
    let mut needed: Vec<Piece> = everywhere.iter().flat_map(pieces).map(|piece| (None, piece)).collect();
    for (namespace, rules) in places {
        let beyond = missing(&everywhere, &rules);
        needed.extend(beyond.iter().flat_map(pieces).map(|piece| (namespace.clone(), piece)));
    }
    needed
}

/// The first of these objects that the API server does not take from a user who holds exactly this.
async fn refused(user: &User<'_>, objects: &[Value], held: &[Piece]) -> Option<String> {
    let mut places: BTreeMap<Option<&str>, Vec<PolicyRule>> = BTreeMap::new();
    for (namespace, piece) in held {
        places.entry(namespace.as_deref()).or_default().push(piece.clone());
    }
    for (at, (namespace, rules)) in places.into_iter().enumerate() {
        user.give(&at.to_string(), &normal_form(&rules), namespace).await;
    }
    for object in objects {
        let (version, resource) = resource(object);
        let mut object = object.clone();
        if kind(&object).ends_with("Role") {
            // It is there already.
            object["metadata"]["name"] = json!(format!("{}-new", object["metadata"]["name"].as_str().unwrap()));
        }
        let api = if version == "v1" { "api" } else { "apis" };
        let place = namespace(&object).map_or_else(String::new, |namespace| format!("namespaces/{namespace}/"));
        let path = format!("/{api}/{version}/{place}{resource}?dryRun=All");
        let (code, answer) = user.send(Method::POST, &path, &object).await;
        match code {
            201 => {}
            403 => return Some(answer["message"].to_string()),
            code => panic!("{path}: {code} {answer}"),
        }
    }
    None
}
