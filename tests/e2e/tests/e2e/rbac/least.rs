//! Least privilege, proved: nothing that the operator asks for is refused, and nothing is held that is not used.

use super::scenario::Play;
use crate::pipeline::{NAME, example, pipeline, with};
use e2e_tests::{Arena, Dice, condition_of, eventually};
use futures::stream::{self, StreamExt as _};
use k8s_openapi::api::rbac::v1::PolicyRule;
use serde_json::json;
use urutau_core::rbac::{covers, missing, pieces};
use urutau_core::{KindId, RuleSet as _};
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

const AT_ONCE: usize = 6;

/// Everything that the operator can be told to do.
fn settings() -> Settings {
    Settings::default().autoscaled("http://prometheus:9090", "30")
}

/// What is played, with what has to be there before the operator.
async fn play(arena: &Arena) -> Play {
    arena.install::<CDCPipeline>().await;
    for secret in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(secret).await;
    }
    // With a table that KEDA scales.
    let grows = |mut pipeline: serde_json::Value| {
        pipeline["spec"]["definition"]["inline"]["tables"][0]["workers"]["max"] = json!(5);
        pipeline
    };
    let mut blocked = grows(pipeline());
    blocked["metadata"]["name"] = json!("blocked");
    blocked["spec"]["definition"]["inline"]["pipeline"] = json!("blocked");
    blocked["spec"]["definition"]["inline"]["source"]["serverId"] = json!("1102");
    let play = Play {
        good: grows(pipeline()),
        bad: with("/spec/definition/inline/source/kind", json!("mysq")),
        blocked,
        wanted: |kind| if kind.kind == "ScaledObject" { "blocked-raw-orders" } else { "blocked-coordinator" },
        late: &["rolebindings", "statefulsets"],
    };
    play.prepare::<PipelineObjects>(arena).await;
    play
}

// ANCHOR: least
#[tokio::test]
async fn b_19_the_operator_is_refused_nothing_and_holds_nothing_that_it_does_not_use() {
    let arena = Arena::new("least").await;
    let play = play(&arena).await;
    let _operator = arena.operator::<PipelineObjects, OperatorRules>(settings()).await;
    play.run::<PipelineObjects>(&arena).await;
    let privilege = arena.plane.privilege::<OperatorRules>(&arena.user()).await.unwrap();
    assert!(privilege.is_least(), "{privilege}");
}
// ANCHOR_END: least

#[tokio::test]
async fn b_19_without_any_single_piece_something_is_refused() {
    let all = OperatorRules::RULES.policy_rules();
    let pieces = Dice::of("without a piece").cases(all.iter().flat_map(pieces).collect());
    let unnoticed: Vec<PolicyRule> = stream::iter(pieces)
        .map(|piece| without(&all, piece))
        .buffer_unordered(AT_ONCE)
        .filter_map(|unnoticed| async { unnoticed })
        .collect()
        .await;
    assert!(unnoticed.is_empty(), "nothing is refused without {unnoticed:#?}");
}

/// Runs the scenario without one piece; gives the piece if nothing was refused.
async fn without(all: &[PolicyRule], piece: PolicyRule) -> Option<PolicyRule> {
    // What is left is everything that the piece does not cover.
    let rest = missing(std::slice::from_ref(&piece), all);
    assert!(!covers(&rest, std::slice::from_ref(&piece)));
    let arena = Arena::new("without").await;
    let play = play(&arena).await;
    let client = arena.account_with(rest).await;
    let _operator = arena.start::<PipelineObjects>(client, settings(), |controller| controller);
    tokio::select! {
        () = play.run::<PipelineObjects>(&arena) => arena.refused().await.is_empty().then_some(piece),
        _ = first_refusal(&arena) => None,
    }
}

/// A request that is refused, or a condition that says what is missing: what the set can do without is not even tried.
async fn first_refusal(arena: &Arena) -> String {
    let pipelines = arena.any(&KindId::of::<CDCPipeline>());
    eventually("refusal", || async {
        if let Some(refused) = arena.refused().await.into_iter().next() {
            return Ok(refused);
        }
        let pipeline = pipelines.get_opt(NAME).await.unwrap();
        let served = pipeline.map(|pipeline| condition_of(&pipeline, "OptionalApisServed")).unwrap_or_default();
        if served["reason"] == "RightsMissing" { Ok(served["message"].to_string()) } else { Err(served) }
    })
    .await
}
