//! Everything that `RbacRules` reads.

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Node, Pod, Secret};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use ui_tests::{Fleet, Greeter};
use urutau_core::plan::Content;
use urutau_core::serde_json::json;
use urutau_core::{Identity, Invalid, Names, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

/// What a server may do.
#[derive(RbacRules)]
#[rule(Greeter, verbs(get), names("{owner}"))]
#[rule(Greeter/status, verbs(get, update, patch), names("{owner}"))]
#[rule(Pod, verbs(get), names("{owner}-{ordinal}", "{namespace}-x"))]
#[rule("metrics.k8s.io"/"pods", verbs(get))]
#[rule("apps"/"deployments"/"scale", verbs(update))]
#[rule("example.com"/"*", verbs("*"))]
#[rule(Secret, verbs(list, watch), names("{owner}"))]
#[rule(Secret, verbs(create, patch), names("{owner}"))]
#[rule(Pod/eviction, "*"/"*"/"scale", verbs(create), names("{owner}"))]
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

/// What lives in no namespace.
#[derive(RbacRules)]
#[rule(urls("/metrics", "/healthz/*"), verbs(get))]
#[rule(Node, verbs(list))]
pub struct ScrapeRules;

/// Grants it.
#[derive(OwnedResource)]
#[owned(ClusterRole, grants(ScrapeRules))]
pub struct Scraper {
    rules: ScrapeRules,
}

/// What a fleet has.
#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct FleetObjects {
    scraper: Scraper,
}

/// What the operator holds.
#[derive(RbacRules)]
#[rbac(manages(Objects, FleetObjects), crate = urutau_core)]
#[rule(Node, verbs(list), to_grant)]
#[rule(Secret, verbs(list, watch, patch), to_grant)]
#[rule(Pod/eviction, "*"/"*"/"scale", verbs(create), to_grant)]
#[rule(ConfigMap/finalizers, verbs(update))]
#[rule("policy"/"*", verbs(get), wildcard)]
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
#[rule("*"/"*", verbs("*"), wildcard)]
pub struct AllRules;

#[test]
fn an_aggregated_role_says_nothing_of_its_rules() {
    let set = Views { viewers: Viewers { ring: 3 }, binding: ViewersBinding };
    let body = |owner| {
        let plan = set.plan(owner, "")?;
        let role = plan.entries.into_iter().find_map(|entry| match entry.content {
            Content::Object(item) if item.object.aggregates => Some(item.body),
            _ => None,
        });
        Ok::<_, Invalid>(role.unwrap_or_default())
    };
    let said = body("north").unwrap_or_default();
    let labels = json!({ "example.com/to-viewers": "true", "example.com/fleet": "north-3" });
    assert_eq!(said["aggregationRule"], json!({ "clusterRoleSelectors": [{ "matchLabels": labels }] }));
    assert!(said.get("rules").is_none(), "{said}");
    let why = body("north/").err().map(|invalid| invalid.to_string()).unwrap_or_default();
    assert!(why.contains("matchLabels[\"example.com/fleet\"]"), "{why}");
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
