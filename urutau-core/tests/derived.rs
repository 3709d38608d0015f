//! What follows from a declaration: the rules that managing it takes, and nothing else. Tests are named after the cases
//! they show.
#![allow(missing_docs, dead_code, clippy::unwrap_used)]
// Two rules with the same verbs are no slip.
#![allow(clippy::duplicated_attributes)]

use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Pod, Secret, Service};
use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use urutau_core::rbac::{Need, Place, Verbs, covers, missing, pieces};
use urutau_core::{Identity, Kind, Names, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "acme.example", version = "v1", kind = "Widget", namespaced)]
pub struct WidgetSpec {}

#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "acme.example", version = "v1", kind = "Lake", namespaced)]
pub struct LakeSpec {}

#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "acme.example", version = "v1", kind = "Fleet")]
pub struct FleetSpec {}

#[derive(OwnedResource)]
#[owned(StatefulSet)]
pub struct Store;

#[derive(OwnedResource)]
#[owned(Service)]
pub struct Front;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config;

#[derive(OwnedResource)]
#[owned(Secret)]
pub struct Password;

#[derive(OwnedResource)]
#[owned(Lease, name = "widget-lock")]
pub struct Lock;

/// What a widget may do with its own token.
#[derive(RbacRules)]
#[rule(ConfigMap, verbs(get, list, watch))]
#[rule(Pod, verbs(patch))]
#[rule("events.k8s.io"/"events", verbs(create))]
pub struct WorkloadRules;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
pub struct WidgetObjects {
    identity: Identity<WorkloadRules>,
    store: Store,
    front: Front,
    config: Config,
    password: Password,
    lock: Lock,
}

#[derive(OwnedSet)]
#[owned_set(owner = Lake, manager = "lake-operator", reads(Namespace))]
pub struct LakeObjects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(WidgetObjects))]
#[rule(Pod, verbs(patch), to_grant)]
pub struct WidgetOperator;

#[derive(RbacRules)]
#[rbac(manages(LakeObjects))]
pub struct LakeOperator;

#[derive(RbacRules)]
#[rbac(manages(WidgetObjects, LakeObjects))]
#[rule(Pod, verbs(patch), to_grant)]
pub struct BothOperators;

/// What lives in no namespace, and what does.
#[derive(RbacRules)]
#[rule(Pod, verbs(get, list))]
pub struct PodReader;

#[derive(OwnedResource)]
#[owned(ClusterRole, grants(PodReader))]
pub struct Reader {
    rules: PodReader,
}

#[derive(OwnedSet)]
#[owned_set(owner = Fleet, manager = "fleet-operator")]
pub struct FleetObjects {
    reader: Reader,
    #[member(namespace = "{owner}")]
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(FleetObjects))]
#[rule(Pod, verbs(get, list), to_grant)]
pub struct FleetOperator;

/// The same, by the way out.
#[derive(RbacRules)]
#[rbac(manages(FleetObjects))]
#[rule(ClusterRole, verbs(escalate))]
pub struct EscalatingOperator;

/// What has no type, in a Role.
#[derive(RbacRules)]
#[rule("metrics.k8s.io"/"pods", verbs(get))]
pub struct MetricsReader;

#[derive(OwnedSet)]
#[owned_set(owner = Lake, manager = "lake-operator")]
pub struct MetricsObjects {
    identity: Identity<MetricsReader>,
}

#[derive(RbacRules)]
#[rbac(manages(MetricsObjects))]
#[rule("metrics.k8s.io"/"pods", verbs(get), to_grant)]
pub struct MetricsOperator;

fn rule(group: &str, resource: &str, verbs: &[&str]) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(vec![resource.to_owned()]),
        verbs: verbs.iter().map(|&verb| verb.to_owned()).collect(),
        ..PolicyRule::default()
    }
}

/// The verbs on a resource, whatever the names.
fn verbs(rules: &[PolicyRule], resource: &str) -> Vec<String> {
    let on = rules.iter().filter(|rule| rule.resources.iter().flatten().any(|one| one == resource));
    let mut verbs: Vec<String> = on.flat_map(|rule| rule.verbs.clone()).collect();
    verbs.sort();
    verbs
}

#[test]
fn b_01_what_is_granted_is_held_and_each_missing_piece_is_named() {
    let held = WidgetOperator::RULES.policy_rules();
    let granted = WorkloadRules::RULES.policy_rules();
    assert!(covers(&held, &granted));
    let need = Need::of_node(<WidgetObjects as urutau_core::Member>::NODE).in_namespaces;
    for piece in granted.iter().flat_map(pieces) {
        let without = missing(std::slice::from_ref(&piece), &held);
        assert_eq!(missing(&without, &granted), std::slice::from_ref(&piece));
        assert_eq!(missing(&without, &need), [piece], "the check at the start asks for it too");
    }
}

#[test]
fn b_07_what_is_derived_on_a_name_is_split() {
    let rules = WidgetOperator::RULES.policy_rules();
    let leases: Vec<_> =
        rules.iter().filter(|rule| rule.resources.iter().flatten().any(|one| one == "leases")).collect();
    let said: Vec<_> = leases.iter().map(|rule| (rule.resource_names.clone(), rule.verbs.join(" "))).collect();
    let named = (Some(vec!["widget-lock".to_owned()]), "create delete get patch".to_owned());
    assert_eq!(said, [(None, "list watch".to_owned()), named]);
}

#[test]
fn b_09_finalizers_of_every_owner_and_of_nothing_else() {
    let finalizers = |rules: Vec<PolicyRule>| {
        let on = rules.into_iter().filter(|rule| rule.resources.iter().flatten().any(|one| one.contains('/')));
        let on = on.filter(|rule| rule.resources.iter().flatten().any(|one| one.ends_with("/finalizers")));
        on.map(|rule| (rule.api_groups.unwrap(), rule.resources.unwrap(), rule.verbs)).collect::<Vec<_>>()
    };
    let text = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let of = |kinds: &[&str]| vec![(text(&["acme.example"]), text(kinds), text(&["update"]))];
    assert_eq!(finalizers(WidgetOperator::RULES.policy_rules()), of(&["widgets/finalizers"]));
    assert_eq!(finalizers(FleetOperator::RULES.policy_rules()), of(&["fleets/finalizers"]));
    assert_eq!(finalizers(BothOperators::RULES.policy_rules()), of(&["lakes/finalizers", "widgets/finalizers"]));
}

#[test]
fn b_16_what_a_cluster_role_grants_is_held_in_the_whole_cluster() {
    let pods = rule("", "pods", &["get", "list"]);
    let (cluster, namespaces) =
        (FleetOperator::RULES.policy_rules_of(Place::Cluster), FleetOperator::RULES.policy_rules_of(Place::Namespaces));
    assert!(covers(&cluster, std::slice::from_ref(&pods)), "{cluster:#?}");
    assert_eq!(verbs(&namespaces, "pods"), [""; 0], "once is enough");
    // Owners, the role and what is told of owners live in no namespace; what is in one does.
    for resource in ["fleets", "fleets/status", "fleets/finalizers", "clusterroles", "events"] {
        assert!(!verbs(&cluster, resource).is_empty() && verbs(&namespaces, resource).is_empty(), "{resource}");
    }
    assert!(!verbs(&namespaces, "configmaps").is_empty() && verbs(&cluster, "configmaps").is_empty());
    let need = Need::of_rules(FleetOperator::RULES);
    assert_eq!((need.in_cluster, need.in_namespaces), (cluster, namespaces));
    // What has no type is held where the Role is that hands it out.
    assert_eq!(MetricsOperator::RULES.policy_rules_of(Place::Cluster), []);
    let need = Need::of_node(<MetricsObjects as urutau_core::Member>::NODE);
    assert_eq!(need.in_cluster, []);
    for namespaces in [MetricsOperator::RULES.policy_rules_of(Place::Namespaces), need.in_namespaces] {
        assert!(covers(&namespaces, &[rule("metrics.k8s.io", "pods", &["get"])]), "{namespaces:#?}");
    }
    // Whoever escalates holds no more than that.
    assert_eq!(verbs(&EscalatingOperator::RULES.policy_rules_of(Place::Cluster), "pods"), [""; 0]);
}

#[test]
fn b_20_nothing_is_derived_that_is_wider_than_its_use() {
    let rules = WidgetOperator::RULES.policy_rules();
    for rule in &rules {
        let said = [&rule.api_groups, &rule.resources, &rule.non_resource_urls, &Some(rule.verbs.clone())];
        let wide = said.into_iter().flatten().flatten().any(|text| text.contains('*') || text == "deletecollection");
        assert!(!wide, "{rule:?}");
    }
    assert_eq!(verbs(&rules, "secrets"), ["create", "delete", "get", "list", "patch", "watch"]);
    assert_eq!(verbs(&LakeOperator::RULES.policy_rules(), "secrets"), [""; 0]);
    // In namespaces nothing is left for a role of the whole cluster.
    assert_eq!(WidgetOperator::RULES.policy_rules_of(Place::Cluster), []);
    assert_eq!(WidgetOperator::RULES.policy_rules_of(Place::Namespaces), rules);
}

#[test]
fn b_24_what_is_read_outside_of_namespaces_is_held_there() {
    let cluster = LakeOperator::RULES.policy_rules_of(Place::Cluster);
    assert_eq!(cluster, [rule("", "namespaces", &["get", "list", "watch"])]);
    assert_eq!(verbs(&LakeOperator::RULES.policy_rules_of(Place::Namespaces), "namespaces"), [""; 0]);
    assert_eq!(Need::of_node(<LakeObjects as urutau_core::Member>::NODE).in_cluster, cluster);
}

#[test]
fn b_25_what_one_kind_takes_is_not_given_to_another() {
    let (widgets, lakes) = (WidgetOperator::RULES.policy_rules(), LakeOperator::RULES.policy_rules());
    for (rules, others) in [(&lakes, "widgets"), (&lakes, "secrets"), (&lakes, "roles"), (&widgets, "lakes")] {
        assert_eq!(verbs(rules, others), [""; 0], "{others}");
    }
    // Both together are both, and no more; and it can be told what comes from where.
    let both = BothOperators::RULES.policy_rules();
    assert!(covers(&both, &widgets) && covers(&both, &lakes));
    assert!(covers(&[widgets, lakes.clone()].concat(), &both));
    let origins = BothOperators::RULES.origins();
    let names: Vec<_> = origins.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, [None, Some("WidgetObjects"), Some("LakeObjects")]);
    assert_eq!(origins[0].1, [rule("", "pods", &["patch"])]);
    assert_eq!(origins[2].1, lakes);
}

/// Each verb that the derives take is one, and each that there is they take; `tests/ui` sees the list that the derives
/// print.
#[test]
fn b_02_every_verb_can_be_said() {
    #[derive(RbacRules)]
    #[rule(Pod, verbs(get, list, watch, create, update, patch, delete, deletecollection))]
    #[rule(Pod, verbs(use, bind, escalate, impersonate, approve, sign, attest, "*"))]
    struct Every;
    let mut said = Verbs::NONE;
    Every::RULES.each(&mut |rule| said = said.and(rule.verbs));
    assert_eq!(said, Verbs::ALL);
}

/// The API server takes an empty name for that of every request that has none: of `list`, `create` and the like.
#[test]
fn b_07_an_empty_name_grants_nothing() {
    #[derive(RbacRules)]
    #[rule(Pod, verbs("*"), names("{which}"))]
    #[rule(Secret, verbs(list, watch), names("{which}", "fixed"))]
    struct Named {
        which: String,
    }
    let granted = |which: &str| Named { which: which.to_owned() }.policy_rules(&Names::default());
    let names = |rules: Vec<PolicyRule>| rules.into_iter().filter_map(|rule| rule.resource_names).collect::<Vec<_>>();
    assert_eq!(names(granted("")), [["fixed"]]);
    assert_eq!(granted("").len(), 1);
    assert_eq!(names(granted("a")), [vec!["a"], vec!["a", "fixed"]]);
}
