//! The verbs that are derived: enough for everything that happens, and none besides.

use super::oracle::User;
use crate::apply::zoo::{self, Zoo, kinds};
use e2e_tests::{Arena, MANAGER, NEVER, Widget, condition_of, eventually, widget};
use http::Method;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::{Value, json};
use urutau_core::rbac::missing;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

const CONFIG: KindId = KindId::of::<ConfigMap>();
const WIDGET: KindId = KindId::of::<Widget>();

/// What the derives say of verbs on names is what the API server does.
#[tokio::test]
async fn b_07_names_reach_what_has_a_name() {
    let arena = Arena::new("b-07").await;
    let user = User { admin: &arena.admin, name: format!("{}-user", arena.namespace) };
    let verbs = ["create", "patch", "get", "list", "watch", "deletecollection"].map(str::to_owned);
    let named = PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec!["configmaps".to_owned()]),
        resource_names: Some(vec!["x".to_owned()]),
        verbs: verbs.to_vec(),
        ..PolicyRule::default()
    };
    let evicts = PolicyRule {
        resources: Some(vec!["pods/eviction".to_owned()]),
        verbs: vec!["create".to_owned()],
        ..named.clone()
    };
    user.give("named", &[named, evicts], Some(&arena.namespace)).await;
    let (pods, maps) =
        ["pods", "configmaps"].map(|resource| format!("/api/v1/namespaces/{}/{resource}", arena.namespace)).into();
    let config = |name: &str| json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name } });
    let eviction = |name: &str| json!({ "apiVersion": "policy/v1", "kind": "Eviction", "metadata": { "name": name } });
    let apply = "dryRun=All&fieldManager=test";
    let one = "fieldSelector=metadata.name%3Dx";
    let cases = [
        (Method::POST, format!("{maps}?dryRun=All"), config("x"), 403),
        (Method::PATCH, format!("{maps}/x?{apply}"), config("x"), 201),
        (Method::PATCH, format!("{maps}/y?{apply}"), config("y"), 403),
        (Method::GET, maps.clone(), Value::Null, 403),
        (Method::GET, format!("{maps}?{one}"), Value::Null, 200),
        (Method::GET, format!("{maps}?{one}&watch=1&timeoutSeconds=1"), Value::Null, 200),
        (Method::GET, format!("{maps}?watch=1&timeoutSeconds=1"), Value::Null, 403),
        (Method::DELETE, format!("{maps}?dryRun=All"), json!({}), 403),
        (Method::DELETE, format!("{maps}?dryRun=All&{one}"), json!({}), 403),
        // There is no such Pod, which is asked after the right.
        (Method::POST, format!("{pods}/x/eviction"), eviction("x"), 404),
        (Method::POST, format!("{pods}/y/eviction"), eviction("y"), 403),
    ];
    for (method, path, body, expected) in cases {
        let (code, answer) = user.send(method.clone(), &path, &body).await;
        assert_eq!(code, expected, "{method} {path}: {answer}");
    }
}

/// Every kind of the zoo is made, changed by others, removed by others and made again.
#[tokio::test]
async fn b_08_a_whole_life_of_every_kind_is_refused_nothing() {
    let arena = Arena::new("b-08").await;
    let _operator = arena.looking::<Zoo, zoo::Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Zoo>("w1").await;
    for kind in kinds() {
        arena.merge(MANAGER, &kind, "w1", json!({ "metadata": { "labels": { "zoo": "theirs" } } })).await;
        arena.becomes(&kind, "w1", "/metadata/labels/zoo", &json!("w1")).await;
        let before = arena.uid(&kind, "w1").await;
        arena.delete(&kind, "w1").await;
        eventually(&format!("another {kind}"), || async {
            let now = arena.uid(&kind, "w1").await;
            if now.is_some() && now != before { Ok(()) } else { Err(now) }
        })
        .await;
    }
    arena.ready::<Zoo>("w1").await;
    assert_eq!(arena.refused().await, [""; 0]);
    let asked: Vec<_> = arena.requests().await.into_iter().filter(|request| request.verb == "update").collect();
    assert!(asked.is_empty(), "nothing is written by PUT: {asked:#?}");
    let updates =
        zoo::Rules::RULES.policy_rules().into_iter().filter(|rule| rule.verbs.iter().any(|verb| verb == "update"));
    let updates: Vec<_> = updates.flat_map(|rule| rule.resources.unwrap_or_default()).collect();
    assert_eq!(updates, ["widgets/finalizers"]);
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["a"] = "1")]
struct Config;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config })
    }
}

/// Too little, for what is used.
#[derive(RbacRules)]
#[rule(Widget, verbs(list, watch, delete))]
#[rule(Widget/status, verbs(patch))]
#[rule(ConfigMap, verbs(list, watch, create))]
struct Fewer;

#[tokio::test]
async fn b_19_what_the_rules_do_not_give_and_what_is_not_used_is_listed() {
    let arena = Arena::new("b-19").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    let privilege = arena.plane.privilege::<Fewer>(&arena.user()).await.unwrap();
    let beyond: Vec<_> = privilege.beyond.iter().map(|request| (&*request.verb, &*request.resource)).collect();
    assert_eq!(beyond, [("patch", "configmaps")], "{privilege}");
    let unused: Vec<_> = privilege.unused.iter().map(|rule| (rule.verbs.join(" "), rule.resources.clone())).collect();
    assert_eq!(unused, [("delete".to_owned(), Some(vec!["widgets".to_owned()]))], "{privilege}");
    assert!(!privilege.is_least() && privilege.refused.is_empty());
}

/// The admission plugin `OwnerReferencesPermissionEnforcement` is on in every test.
#[tokio::test]
async fn b_09_owner_references_that_block_deletion_take_finalizers_and_no_more() {
    let arena = Arena::new("b-09").await;
    let finalizers = PolicyRule {
        api_groups: Some(vec!["acme.example".to_owned()]),
        resources: Some(vec!["widgets/finalizers".to_owned()]),
        verbs: vec!["update".to_owned()],
        ..PolicyRule::default()
    };
    let client = arena.account_with(missing(&[finalizers], &Rules::RULES.policy_rules())).await;
    let _operator = arena.start::<Objects>(client, (), |controller| controller.resync(NEVER));
    arena.apply(&widget("w1", &json!({}))).await;
    let owner = arena.condition(&WIDGET, "w1", "Ready", "False").await;
    let ready = condition_of(&owner, "Ready");
    assert!(ready["message"].as_str().unwrap().contains("blockOwnerDeletion"), "{ready}");
    assert_eq!(arena.uid(&CONFIG, "w1").await, None);
    // With the rest of the rules it is made, and repaired when others change the reference.
    arena.account::<Rules>().await;
    arena.ready::<Objects>("w1").await;
    let mark = arena.mark().await;
    let block = "/metadata/ownerReferences/0/blockOwnerDeletion";
    assert_eq!(arena.at(&CONFIG, "w1", block).await, json!(true));
    for (op, path) in [("replace", block), ("remove", "/metadata/ownerReferences")] {
        arena.edit(MANAGER, &CONFIG, "w1", op, path, json!(false)).await;
        arena.becomes(&CONFIG, "w1", block, &json!(true)).await;
    }
    let refused: Vec<_> = arena.since(mark).await.into_iter().filter(|request| request.code == 403).collect();
    assert!(refused.is_empty(), "{refused:#?}");
}
