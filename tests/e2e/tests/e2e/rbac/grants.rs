//! What is handed out has to be held, and what is missing is named before the API server refuses it.

use super::oracle::{API, User};
use e2e_tests::{Arena, NEVER, Widget, eventually, widget};
use http::Method;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use k8s_openapi::api::rbac::v1::{PolicyRule, Role};
use serde_json::{Value, json};
use urutau_core::rbac::{missing, pieces};
use urutau_core::{Declare, Identity, Inputs, Invalid, OwnedSet, RbacRules, RuleSet};

#[derive(RbacRules)]
#[rule(ConfigMap, verbs(get, list, watch))]
#[rule(Pod, verbs(patch))]
#[rule("events.k8s.io"/"events", verbs(create))]
struct WorkloadRules;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    identity: Identity<WorkloadRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ConfigMap, verbs(get, list, watch), to_grant)]
#[rule(Pod, verbs(patch), to_grant)]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { identity: Identity::new(WorkloadRules) })
    }
}

#[tokio::test]
async fn b_01_the_generated_rules_are_enough_to_grant() {
    let arena = Arena::new("b-01").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.api::<Role>().get("w1").await.unwrap().rules.unwrap(), WorkloadRules::RULES.policy_rules());
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn b_01_a_piece_that_is_missing_is_named_before_anything_is_refused() {
    let arena = Arena::new("b-01").await;
    let all = Rules::RULES.policy_rules();
    let granted: Vec<PolicyRule> = WorkloadRules::RULES.policy_rules().iter().flat_map(pieces).collect();
    for (at, piece) in granted.iter().enumerate() {
        let client = arena.account_with(missing(std::slice::from_ref(piece), &all)).await;
        let mut health = None;
        let operator = arena.start::<Objects>(client, (), |controller| {
            health = Some(controller.health());
            if at % 2 == 0 { controller.holds::<Rules>() } else { controller }
        });
        // An operator that began with what the one before had looks again.
        eventually("name of the missing piece", || async {
            let missing = health.as_ref().unwrap().missing();
            let rules: Vec<_> = missing.iter().flat_map(|missing| missing.rules.clone()).collect();
            if rules == std::slice::from_ref(piece) { Ok(()) } else { Err(missing) }
        })
        .await;
        operator.stop().await;
    }
    assert_eq!(arena.refused().await, [""; 0], "there is no owner yet");
}

fn scraper(kind: &str, urls: &[&str]) -> Value {
    json!({
        "apiVersion": API, "kind": kind, "metadata": { "name": "scraper" },
        "rules": [{ "nonResourceURLs": urls, "verbs": ["get"] }],
    })
}

#[tokio::test]
async fn b_03_paths_are_covered_by_paths_alone() {
    let arena = Arena::new("b-03").await;
    let every = |verbs: &[&str]| PolicyRule {
        api_groups: Some(vec!["*".to_owned()]),
        resources: Some(vec!["*".to_owned()]),
        verbs: verbs.iter().map(|&verb| verb.to_owned()).collect(),
        ..PolicyRule::default()
    };
    let urls = |urls: &[&str]| PolicyRule {
        non_resource_urls: Some(urls.iter().map(|&url| url.to_owned()).collect()),
        verbs: vec!["get".to_owned()],
        ..PolicyRule::default()
    };
    let cases: [(&str, PolicyRule, [bool; 3]); 4] = [
        ("resources", urls(&["/other"]), [false, false, false]),
        ("one", urls(&["/metrics"]), [true, false, false]),
        ("below", urls(&["/metrics/*"]), [false, true, false]),
        ("all", urls(&["/metrics*"]), [true, true, true]),
    ];
    let path = format!("/apis/{API}/clusterroles");
    for (name, held, answers) in cases {
        let user = User { admin: &arena.admin, name: format!("{}-{name}", arena.namespace) };
        user.give("all", &[every(&["get", "list", "create", "update", "delete"]), held], None).await;
        let wanted: [&[&str]; 3] = [&["/metrics"], &["/metrics/*"], &["/metrics", "/metrics/*"]];
        for (wanted, answer) in wanted.into_iter().zip(answers) {
            assert_eq!(user.takes(&path, &scraper("ClusterRole", wanted)).await, answer, "{name} {wanted:?}");
        }
    }
    // In a Role such a rule is not even taken from someone who holds everything.
    let user = User { admin: &arena.admin, name: format!("{}-everything", arena.namespace) };
    user.give("all", &[every(&["*"]), urls(&["*"])], None).await;
    let path = format!("/apis/{API}/namespaces/{}/roles?dryRun=All", arena.namespace);
    let (code, answer) = user.send(Method::POST, &path, &scraper("Role", &["/metrics"])).await;
    assert_eq!(code, 422, "{answer}");
    assert!(answer["message"].as_str().unwrap().contains("nonResourceURLs"), "{answer}");
}
