//! Calls of an author's own: by a client that does what a rule set allows, as an account that holds just that.

use e2e_tests::Arena;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{DeleteParams, ListParams, ObjectMeta, PatchParams};
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error as _;
use urutau_core::{CallError, Client, Names, RbacRules, RuleSet};

/// What a worker may do.
#[derive(RbacRules)]
#[rule(Secret, verbs(get), names("{owner}-password"))]
#[rule(ConfigMap, verbs(list, create))]
struct WorkerRules {
    /// The ones it works on.
    #[rule(ConfigMap, verbs(get, update, patch, delete))]
    mine: Vec<String>,
}

fn config(name: &str, text: &str) -> ConfigMap {
    let data = BTreeMap::from([("text".to_owned(), text.to_owned())]);
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    ConfigMap { metadata, data: Some(data), ..ConfigMap::default() }
}

async fn client(arena: &Arena) -> Client<WorkerRules> {
    let rules = WorkerRules { mine: vec!["a".to_owned(), "b".to_owned()] };
    let names = Names::new("shop", &arena.namespace, "shop");
    let account = arena.account_with(rules.policy_rules(&names)).await;
    Client::new(account, &rules, &names)
}

#[tokio::test]
async fn what_the_rules_allow_is_done_under_just_these_rules() {
    let arena = Arena::new("calls").await;
    let client = client(&arena).await;
    let mut made = client.create(&config("a", "one")).await.unwrap();
    let again = client.create(&config("a", "one")).await.unwrap_err();
    assert!(again.is_already_exists() && !again.is_conflict(), "{again:?}");
    let stale = made.clone();
    made.data = config("a", "two").data;
    client.update(&made).await.unwrap();
    let conflict = client.update(&stale).await.unwrap_err();
    assert!(conflict.is_conflict() && !conflict.is_transient(), "{conflict:?}");
    client.merge::<ConfigMap>("a", &json!({ "data": { "more": "three" } })).await.unwrap();
    let apply = json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "last": "four" } });
    client.apply::<ConfigMap>("a", &apply, &PatchParams::apply("worker")).await.unwrap();
    let all = client.list::<ConfigMap>(&ListParams::default().fields("metadata.name=a")).await.unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].data.as_ref().unwrap().len(), 3);
    client.delete::<ConfigMap>("a", &DeleteParams::default()).await.unwrap();
    client.delete::<ConfigMap>("a", &DeleteParams::default()).await.unwrap();
    assert!(client.get::<ConfigMap>("a").await.unwrap().is_none());
    assert!(client.get::<Secret>("shop-password").await.unwrap().is_none());
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn a_call_on_another_name_is_not_sent() {
    let arena = Arena::new("names").await;
    let client = client(&arena).await;
    let before = arena.plane.audit_mark().await.unwrap();
    let refused = client.get::<Secret>("other-password").await.unwrap_err();
    let text = "`WorkerRules` does not allow `get` on secrets `other-password`, only on `shop-password`; add the name to \
                `names(...)` or to the field of the rule";
    assert_eq!(refused.to_string(), text);
    let refused = client.update(&config("c", "one")).await.unwrap_err();
    assert!(refused.to_string().contains("`update` on configmaps `c`, only on `a`, `b`;"), "{refused}");
    assert!(matches!(refused, CallError::NotGranted { .. }) && refused.source().is_none());
    let nameless = client.update(&ConfigMap::default()).await.unwrap_err();
    assert!(nameless.to_string().contains("without `metadata.name`"), "{nameless}");
    assert_eq!(arena.since(before).await.len(), 0);
}

/// Rules that allow to create by Server-Side Apply alone.
#[derive(RbacRules)]
#[rule(ConfigMap, verbs(create, patch), names("{owner}"))]
struct ByName;

#[tokio::test]
async fn a_name_does_not_allow_a_post_and_does_allow_an_apply() {
    let arena = Arena::new("by-name").await;
    let names = Names::new("shop", &arena.namespace, "shop");
    let client = Client::new(arena.account_with(ByName.policy_rules(&names)).await, &ByName, &names);
    let refused = client.create(&config("shop", "one")).await.unwrap_err();
    let text =
        "`ByName` allows `create` on configmaps only by name, and this call has none when the API server decides;";
    assert!(refused.to_string().starts_with(text), "{refused}");
    let body = json!({ "data": { "text": "one" } });
    client.apply::<ConfigMap>("shop", &body, &PatchParams::apply("worker")).await.unwrap();
    assert!(client.apply::<ConfigMap>("other", &body, &PatchParams::apply("worker")).await.is_err());
    assert_eq!(arena.refused().await, [""; 0]);
}

/// Rules on one object, which can be listed by its name.
#[derive(RbacRules)]
#[rule(ConfigMap, verbs(list), names("{owner}"))]
#[rule(Secret, verbs(get, delete))]
struct One;

#[tokio::test]
async fn a_list_of_one_name_is_judged_by_that_name() {
    let arena = Arena::new("one").await;
    arena.create(&config("shop", "one")).await;
    let names = Names::new("shop", &arena.namespace, "shop");
    let client = Client::new(arena.account_with(One.policy_rules(&names)).await, &One, &names);
    let of = |fields: &str| ListParams::default().fields(fields);
    for fields in ["metadata.name=shop", "metadata.name==shop"] {
        assert_eq!(client.list::<ConfigMap>(&of(fields)).await.unwrap().len(), 1, "{fields}");
    }
    let other = client.list::<ConfigMap>(&of("metadata.name=other")).await.unwrap_err();
    assert!(other.to_string().contains("`list` on configmaps `other`, only on `shop`;"), "{other}");
    let all = client.list::<ConfigMap>(&ListParams::default()).await.unwrap_err();
    assert!(matches!(all, CallError::OnlyByName { .. }), "{all}");
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn what_would_be_another_request_is_not_sent() {
    let arena = Arena::new("other-request").await;
    let names = Names::new("shop", &arena.namespace, "shop");
    let client = Client::new(arena.account_with(One.policy_rules(&names)).await, &One, &names);
    let before = arena.plane.audit_mark().await.unwrap();
    for name in ["", "../secrets", "a?dryRun=All", "a#", "?labelSelector=x"] {
        let error = client.get::<Secret>(name).await.unwrap_err();
        assert!(matches!(error, CallError::BadName { .. }), "{error}");
        let error = client.delete::<Secret>(name, &DeleteParams::default()).await.unwrap_err();
        assert!(error.to_string().starts_with("no Secret can be called"), "{error}");
    }
    let nowhere = client.in_namespace("").get::<Secret>("a").await.unwrap_err();
    assert_eq!(
        nowhere.to_string(),
        "a Secret is in a namespace, and this client is for none; say which by `in_namespace`"
    );
    assert_eq!(arena.since(before).await.len(), 0);
}

#[tokio::test]
async fn what_the_api_server_refuses_says_what_it_was_about() {
    let arena = Arena::new("refusals").await;
    let client = client(&arena).await;
    let error = client.in_namespace("kube-system").get::<ConfigMap>("a").await.unwrap_err();
    assert_eq!(error.to_string(), "get ConfigMap `a`");
    assert!(error.source().unwrap().to_string().contains("forbidden"), "{error:?}");
}
