//! Rights that are missing at the start, taken away later, and given back.

use crate::pipeline::{COORDINATOR, NAME, example, pipeline, with};
use e2e_tests::{Arena, Operator, condition_of, eventually};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::json;
use std::time::{Duration, Instant};
use urutau_core::rbac::{Need, missing, missing_rights, normal_form};
use urutau_core::{Health, KindId, RuleSet as _};
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

const PIPELINE: KindId = KindId::of::<CDCPipeline>();

/// All rules but one piece.
fn without(resource: &str, verb: &str) -> Vec<PolicyRule> {
    let all = OperatorRules::RULES.policy_rules();
    let piece = PolicyRule {
        api_groups: Some(vec![String::new()]),
        resources: Some(vec![resource.to_owned()]),
        verbs: vec![verb.to_owned()],
        ..PolicyRule::default()
    };
    let rest = missing(&[piece], &all);
    assert_ne!(rest, all);
    rest
}

/// An operator under these rules, with the Secrets of the example.
async fn operator(name: &str, rules: Vec<PolicyRule>) -> (Arena, Operator, Health) {
    let arena = Arena::new(name).await;
    arena.install::<CDCPipeline>().await;
    for secret in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(secret).await;
    }
    let client = arena.account_with(rules).await;
    let mut health = None;
    let operator = arena.start::<PipelineObjects>(client, Settings::default(), |controller| {
        health = Some(controller.health());
        controller.holds::<OperatorRules>()
    });
    (arena, operator, health.unwrap())
}

async fn until_ready(health: &Health) {
    eventually("ready operator", || async { if health.is_ready() { Ok(()) } else { Err(health.missing()) } }).await;
}

#[tokio::test]
async fn b_15_a_right_that_is_missing_at_the_start_is_named_and_nothing_else_stalls() {
    let (arena, _operator, health) = operator("missing", without("configmaps", "list")).await;
    let start = Instant::now();
    let named = eventually("name of the missing right", || async {
        let missing: Vec<String> = health.missing().iter().map(ToString::to_string).collect();
        if missing.is_empty() { Err(()) } else { Ok(missing) }
    })
    .await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(named, [format!("list on configmaps in namespace {}", arena.namespace)]);
    assert!(!health.is_ready());
    assert!(health.missing()[0].patch("operator").contains(r#""resources":["configmaps"]"#));
    arena.apply(&pipeline()).await;
    // A kind that does not need it goes on, and the owner says what does not.
    eventually("Service", || async { arena.api::<Service>().get_opt(COORDINATOR).await.unwrap().ok_or(()) }).await;
    let waiting = arena.condition(&PIPELINE, NAME, "Ready", "False").await;
    let message = condition_of(&waiting, "Ready")["message"].as_str().unwrap().to_owned();
    assert!(message.contains("list") && message.contains("configmaps"), "{message}");
    assert!(arena.api::<ConfigMap>().get_opt(COORDINATOR).await.unwrap().is_none());
    arena.account::<OperatorRules>().await;
    arena.ready::<PipelineObjects>(NAME).await;
    until_ready(&health).await;
}

#[tokio::test]
async fn b_15_a_right_that_is_taken_away_is_a_condition_and_heals_when_it_comes_back() {
    let (arena, _operator, health) = operator("taken", OperatorRules::RULES.policy_rules()).await;
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    until_ready(&health).await;
    arena.account_with(without("configmaps", "patch")).await;
    // The API server learns of it a moment later; until then changes go through.
    let mut times = 0;
    let failed = eventually("condition", || {
        times += 1;
        let changed = with("/spec/definition/inline/source/maxReconnectAttempts", json!(times));
        let arena = &arena;
        async move {
            arena.apply(&changed).await;
            let object = arena.any(&PIPELINE).get(NAME).await.unwrap();
            let ready = condition_of(&object, "Ready");
            if ready["status"] == "False" && ready["reason"] == "Forbidden" { Ok(ready) } else { Err(ready) }
        }
    })
    .await;
    let message = failed["message"].as_str().unwrap();
    assert!(message.contains("patch") && message.contains("configmaps"), "{message}");
    eventually("unready operator", || async { if health.is_ready() { Err(()) } else { Ok(()) } }).await;
    arena.account::<OperatorRules>().await;
    arena.ready::<PipelineObjects>(NAME).await;
    until_ready(&health).await;
}

#[tokio::test]
async fn b_16_rights_are_asked_for_where_they_are_needed() {
    let arena = Arena::new("where").await;
    let client = arena.account::<OperatorRules>().await;
    let need = Need::of_rules(OperatorRules::RULES);
    let here = std::slice::from_ref(&arena.namespace);
    eventually("rights in the namespace", || async {
        let missing = missing_rights(&client, &need, here).await.unwrap();
        if missing.is_empty() { Ok(()) } else { Err(missing) }
    })
    .await;
    let elsewhere = missing_rights(&client, &need, &[]).await.unwrap();
    let (optional, elsewhere): (Vec<_>, Vec<_>) = elsewhere.into_iter().partition(|missing| missing.optional);
    assert_eq!((optional.len(), elsewhere.len()), (1, 1));
    assert_eq!(elsewhere[0].namespace, None);
    let all = [optional[0].rules.clone(), elsewhere[0].rules.clone()].concat();
    assert_eq!(normal_form(&all), OperatorRules::RULES.policy_rules());
}
