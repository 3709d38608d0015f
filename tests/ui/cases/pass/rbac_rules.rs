//! Everything that `RbacRules` reads.

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{Pod, Secret};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use ui_tests::{Fleet, Greeter};
use urutau_core::plan::Content;
use urutau_core::{Identity, Names, OwnedResource, OwnedSet, RbacRules, RuleSet as _, serde_json};

/// What a server may do.
#[derive(RbacRules)]
#[rule(Greeter, verbs(get), names("{owner}"))]
#[rule(Greeter/status, verbs(get, update, patch), names("{owner}"))]
#[rule(Pod, verbs(get), names("{owner}-{ordinal}", "{namespace}-x"))]
#[rule("metrics.k8s.io"/"pods", verbs(get))]
#[rule("apps"/"deployments"/"scale", verbs(update))]
#[rule(urls("/metrics", "/healthz/*"), verbs(get))]
#[rule("example.com"/"*", verbs("*"))]
pub struct ServerRules {
    #[rule(Deployment, verbs(get, update))]
    workers: Vec<String>,
    #[rule(StatefulSet, Secret, verbs(create))]
    elastic: bool,
    ordinal: u8,
}

/// What the server has.
#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

/// What the operator holds.
#[derive(RbacRules)]
#[rbac(manages(Objects), crate = urutau_core)]
#[rule(Greeter, verbs(get), to_grant)]
#[rule(Greeter/status, verbs(get, update), to_grant)]
#[rule(Deployment, verbs(get, update), to_grant)]
#[rule(StatefulSet, Secret, verbs(create), to_grant)]
#[rule(Pod, "metrics.k8s.io"/"pods", verbs(get), to_grant)]
#[rule("apps"/"deployments"/"scale", verbs(update), to_grant)]
#[rule(urls("*"), verbs(get), to_grant)]
#[rule("example.com"/"*", verbs("*"), to_grant)]
pub struct OperatorRules;

/// Everything that viewers may do, whoever adds to it.
#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("example.com/to-viewers" = "true", "example.com/fleet" = "{owner}-{ring}"))]
pub struct Viewers {
    ring: u8,
}

/// What binds it.
#[derive(OwnedResource)]
#[owned(ClusterRoleBinding, binds(ClusterRole = "{name}", ServiceAccount = "{name}"))]
pub struct ViewersBinding;

/// A role that aggregates others, and somebody who has it.
#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct Views {
    viewers: Viewers,
    #[member(namespace = "default")]
    binding: ViewersBinding,
}

/// What that takes.
#[derive(RbacRules)]
#[rbac(manages(Views))]
#[rule(ClusterRole, verbs(escalate, bind))]
pub struct ViewsRules;

/// Who holds everything holds that.
#[derive(RbacRules)]
#[rbac(manages(Views))]
#[rule("*"/"*", verbs("*"))]
pub struct AllRules;

#[test]
fn an_aggregated_role_says_nothing_of_its_rules() {
    let set = Views { viewers: Viewers { ring: 3 }, binding: ViewersBinding };
    let plan = set.plan("north", "").unwrap();
    let Content::Object(item) = &plan.entries[0].content else { panic!("{plan:?}") };
    let labels = serde_json::json!({ "example.com/to-viewers": "true", "example.com/fleet": "north-3" });
    assert_eq!(
        item.body["aggregationRule"],
        serde_json::json!({ "clusterRoleSelectors": [{ "matchLabels": labels }] })
    );
    assert!(item.body.get("rules").is_none(), "{}", item.body);
    let Err(invalid) = set.plan("north/", "") else { panic!("a label can't have a slash in its value") };
    assert!(invalid.to_string().contains("matchLabels[\"example.com/fleet\"]"), "{invalid}");
}

#[test]
fn values_decide_what_is_granted() {
    let set =
        Objects { identity: Identity::new(ServerRules { workers: vec!["a".to_owned()], elastic: false, ordinal: 3 }) };
    let rules = set.identity.rules().policy_rules(&Names::new("shop", "team", "shop"));
    let names: Vec<_> = rules.iter().flat_map(|rule| rule.resource_names.iter().flatten()).collect();
    assert!(names.contains(&&"shop-3".to_owned()) && names.contains(&&"a".to_owned()));
    assert!(!rules.iter().any(|rule| rule.resources.iter().flatten().any(|resource| resource == "statefulsets")));
    assert!(!OperatorRules::RULES.policy_rules().is_empty());
}
