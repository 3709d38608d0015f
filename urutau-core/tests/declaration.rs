//! The declaration that the design shows, and what comes of it without a cluster.
#![allow(missing_docs, clippy::unwrap_used)]

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Pod, PodSpec, ResourceRequirements, Secret, Service, ServiceAccount};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::plan::Content;
use urutau_core::{Identity, Kind, OwnedResource, OwnedSet, Part, RbacRules, RuleSet, Waiting};

#[derive(CustomResource, Kind, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "urutau.io", version = "v1alpha1", kind = "CDCPipeline", namespaced)]
pub struct CDCPipelineSpec {
    pub image: Option<String>,
}

pub const GRPC_PORT: u16 = 50051;
type Labels = BTreeMap<String, String>;

#[derive(OwnedResource)]
#[owned(ServiceAccount)]
#[set(automount_service_account_token = false)]
pub struct WorkerAccount;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct CoordinatorConfig {
    #[at(data)]
    data: BTreeMap<String, String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-{table}")]
pub struct TableScaler {
    #[at(data["table"])]
    table: String,
}

/// Headless Service that gives the coordinator pod a stable DNS name.
#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec {
    cluster_ip = "None",
    publish_not_ready_addresses = true,
    selector["urutau.io/pipeline"] = "{owner}",
    ports[GRPC_PORT].name = "grpc",
})]
pub struct CoordinatorService;

/// What every Pod of ours has in common.
#[derive(Part)]
#[part(PodSpec)]
#[set(
    security_context { run_as_non_root = true, run_as_user = 65532, fs_group = 65532 },
    volumes["tmp"].empty_dir {},
)]
pub struct Hardened;

/// Runs the coordinator.
#[derive(OwnedResource)]
#[owned(StatefulSet, ready)]
#[set(spec {
    replicas = 1,
    service_name = "{name}",
    template.spec {
        service_account_name = "{name}",
        volumes["config"].config_map.name = "{name}",
        containers["coordinator"].volume_mounts["/etc/urutau"].name = "config",
    },
})]
pub struct CoordinatorStatefulSet {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[part(spec.template.spec)]
    pod: Hardened,
    #[at(spec.template.spec.containers["coordinator"].image)]
    image: String,
    #[at(spec.template.spec.containers["coordinator"].resources)]
    resources: Option<ResourceRequirements>,
}

/// What the coordinator may do with its own token.
#[derive(RbacRules)]
#[rule(CDCPipeline, verbs(get), names("{owner}"))]
#[rule(CDCPipeline/status, verbs(get, update, patch), names("{owner}"))]
#[rule(Pod, verbs(get), names("{owner}-coordinator-0"))]
#[rule(Deployment, verbs(create))]
pub struct CoordinatorRules {
    #[rule(Deployment, verbs(get, update))]
    workers: Vec<String>,
    #[rule(StatefulSet, verbs(create))]
    elastic: bool,
}

/// Everything a `CDCPipeline` owns.
#[derive(OwnedSet)]
#[owned_set(owner = CDCPipeline, manager = "urutau-operator", name = "{owner}-coordinator", reads(Secret))]
#[owned_set(labels("app.kubernetes.io/part-of" = "urutau", "urutau.io/pipeline" = "{owner}"))]
pub struct PipelineObjects {
    identity: Identity<CoordinatorRules>,
    #[member(name = "{owner}-worker")]
    worker: WorkerAccount,
    config: CoordinatorConfig,
    service: CoordinatorService,
    #[member(after(identity, config, service))]
    stateful_set: Result<CoordinatorStatefulSet, Waiting>,
    #[member(after(stateful_set), optional_api)]
    scalers: Vec<TableScaler>,
}

/// What the operator holds.
#[derive(RbacRules)]
#[rbac(manages(PipelineObjects))]
#[rule(CDCPipeline, verbs(get), to_grant)]
#[rule(CDCPipeline/status, verbs(get, update), to_grant)]
#[rule(Deployment, StatefulSet, verbs(get, create, update), to_grant)]
#[rule(Pod, verbs(get), to_grant)]
pub struct OperatorRules;

fn sample() -> PipelineObjects {
    let labels = Labels::from([("urutau.io/pipeline".to_owned(), "shop".to_owned())]);
    PipelineObjects {
        identity: Identity::new(CoordinatorRules { workers: vec!["shop-a-0".to_owned()], elastic: false }),
        worker: WorkerAccount,
        config: CoordinatorConfig { data: BTreeMap::from([("pipeline.yaml".to_owned(), "a: b".to_owned())]) },
        service: CoordinatorService,
        stateful_set: Ok(CoordinatorStatefulSet { labels, pod: Hardened, image: "img:1".to_owned(), resources: None }),
        scalers: vec![TableScaler { table: "orders".to_owned() }],
    }
}

#[test]
fn exactly_what_is_named_is_sent() {
    let plan = sample().plan("shop", "team-a").unwrap();
    let body = |member: &str| {
        let entry = plan.entries.iter().find(|entry| entry.member == member).unwrap();
        let Content::Object(item) = &entry.content else { unreachable!() };
        item.body.clone()
    };
    let labels = json!({ "app.kubernetes.io/part-of": "urutau", "urutau.io/pipeline": "shop" });
    assert_eq!(
        body("service"),
        json!({
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": { "name": "shop-coordinator", "namespace": "team-a", "labels": labels },
            "spec": {
                "clusterIP": "None",
                "publishNotReadyAddresses": true,
                "selector": { "urutau.io/pipeline": "shop" },
                "ports": [{ "port": 50051, "protocol": "TCP", "name": "grpc" }],
            },
        })
    );
    assert_eq!(
        body("stateful_set"),
        json!({
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": { "name": "shop-coordinator", "namespace": "team-a", "labels": labels },
            "spec": {
                "replicas": 1,
                "serviceName": "shop-coordinator",
                "selector": { "matchLabels": { "urutau.io/pipeline": "shop" } },
                "template": {
                    "metadata": { "labels": { "urutau.io/pipeline": "shop" } },
                    "spec": {
                        "serviceAccountName": "shop-coordinator",
                        "securityContext": { "runAsNonRoot": true, "runAsUser": 65532, "fsGroup": 65532 },
                        "volumes": [
                            { "name": "config", "configMap": { "name": "shop-coordinator" } },
                            { "name": "tmp", "emptyDir": {} },
                        ],
                        "containers": [{
                            "name": "coordinator",
                            "image": "img:1",
                            "volumeMounts": [{ "mountPath": "/etc/urutau", "name": "config" }],
                        }],
                    },
                },
            },
        })
    );
    assert_eq!(body("scalers[0]")["metadata"]["name"], "shop-orders");
    assert_eq!(body("worker")["metadata"]["name"], "shop-worker");
    assert_eq!(body("identity.binding")["subjects"][0]["name"], "shop-coordinator");
    let rules = body("identity.role")["rules"].clone();
    assert_eq!(rules.as_array().unwrap().len(), 5, "{rules:#}");
}

#[test]
fn order_follows_after_and_a_binding_its_role() {
    let plan = sample().plan("shop", "team-a").unwrap();
    let at = |member: &str| plan.entries.iter().position(|entry| entry.member == member).unwrap();
    let after = |member: &str| plan.entries[at(member)].after.clone();
    assert_eq!(after("identity.binding"), [at("identity.role")]);
    assert_eq!(after("stateful_set").len(), 5);
    assert_eq!(after("scalers[0]"), [at("stateful_set")]);
}

#[test]
fn a_member_that_waits_keeps_what_it_may_own() {
    let mut set = sample();
    set.stateful_set = Err(Waiting::new("SecretMissing", "Secret `creds` is missing"));
    let plan = set.plan("shop", "team-a").unwrap();
    let held = plan.entries.iter().find(|entry| entry.member == "stateful_set").unwrap();
    let Content::Waiting(held) = &held.content else { unreachable!() };
    let kind = urutau_core::KindId::of::<StatefulSet>();
    assert!(held.may_own(&kind, "shop-coordinator") && !held.may_own(&kind, "shop-other"));
}

#[test]
fn the_operators_rules_are_what_it_manages_and_what_it_says() {
    let rules = OperatorRules::RULES.policy_rules();
    let text = serde_json::to_string_pretty(&rules).unwrap();
    println!("{text}");
    assert!(text.contains("cdcpipelines/finalizers"));
}

mod nested {
    //! `{name}` through several sets.
    use super::*;

    #[derive(OwnedSet)]
    #[owned_set(name = "{name}-b")]
    pub struct Inner {
        #[member(name = "{name}-x")]
        config: CoordinatorConfig,
    }

    #[derive(OwnedSet)]
    #[owned_set(owner = CDCPipeline)]
    pub struct Outer {
        inner: Result<Inner, Waiting>,
    }

    #[test]
    fn a_waiting_member_keeps_what_it_owned_when_it_was_declared() {
        let config = CoordinatorConfig { data: BTreeMap::new() };
        let plan = Outer { inner: Ok(Inner { config }) }.plan("o", "ns").unwrap();
        let Content::Object(item) = &plan.entries[0].content else { unreachable!() };
        assert_eq!(item.name, "o-b-x");
        let plan = Outer { inner: Err(Waiting::new("Later", "later")) }.plan("o", "ns").unwrap();
        let Content::Waiting(held) = &plan.entries[0].content else { unreachable!() };
        assert!(held.may_own(&urutau_core::KindId::of::<ConfigMap>(), "o-b-x"));
        assert!(!held.may_own(&urutau_core::KindId::of::<ConfigMap>(), "o-x"));
    }
}
