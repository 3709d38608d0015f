//! What is measured: a `Feed` owns the objects that a coordinator needs, as a `CDCPipeline` does.

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Service};
use std::collections::BTreeMap;
use urutau_core::{Declare, Identity, Inputs, Invalid, Kind, OwnedResource, OwnedSet, RbacRules, Status};

/// How many objects a `Feed` owns.
pub const OBJECTS: usize = 6;

/// What a user writes.
#[derive(kube::CustomResource, Kind, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug)]
#[kube(group = "bench.urutau.io", version = "v1", kind = "Feed", namespaced, status = "Status")]
pub struct FeedSpec {
    /// The image of the coordinator.
    pub image: String,
    /// What it reads when it starts.
    pub document: String,
}

impl FeedSpec {
    /// What all of those say that are measured.
    pub fn sample() -> Self {
        let document = include_str!("../../examples/shop-mysql.yaml").to_owned();
        Self { image: "ghcr.io/urutau/coordinator:1.0.0".to_owned(), document }
    }
}

type Labels = BTreeMap<String, String>;

/// The document.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config {
    #[at(data["pipeline.yaml"])]
    document: String,
}

/// Gives the coordinator's Pod a stable DNS name.
#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec {
    cluster_ip = "None",
    publish_not_ready_addresses = true,
    ports[50051] { name = "grpc", target_port = "grpc" },
})]
pub struct Endpoint {
    #[at(spec.selector)]
    pods: Labels,
}

/// Runs the coordinator.
#[derive(OwnedResource)]
#[owned(StatefulSet, ready)]
#[set(spec {
    replicas = 1,
    service_name = "{name}",
    pod_management_policy = "Parallel",
    template.spec {
        service_account_name = "{name}",
        termination_grace_period_seconds = 60,
        security_context {
            run_as_non_root = true, run_as_user = 65532, run_as_group = 65532, fs_group = 65532,
            seccomp_profile.type_ = "RuntimeDefault",
        },
        volumes["config"].config_map.name = "{name}",
        volumes["tmp"].empty_dir {},
        containers["coordinator"] {
            command = ["urutau-coordinator"],
            args = ["run", "--file", "/etc/urutau/pipeline.yaml"],
            security_context {
                allow_privilege_escalation = false, read_only_root_filesystem = true, capabilities.drop = ["ALL"],
            },
            ports[50051].name = "grpc",
            ports[9090].name = "metrics",
            startup_probe { http_get { path = "/healthz", port = "metrics" }, period_seconds = 10, failure_threshold = 60 },
            liveness_probe.http_get { path = "/healthz", port = "metrics" },
            readiness_probe.http_get { path = "/readyz", port = "metrics" },
            volume_mounts["/etc/urutau"] { name = "config", read_only = true },
            volume_mounts["/tmp"].name = "tmp",
        },
    },
})]
pub struct Coordinator {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    pods: Labels,
    #[at(spec.template.spec.containers["coordinator"].image)]
    image: String,
}

/// What the coordinator may do with its own token.
#[derive(RbacRules)]
#[rule(Feed, verbs(get), names("{owner}"))]
#[rule(Feed/status, verbs(get, patch, update), names("{owner}"))]
#[rule(Pod, verbs(get), names("{owner}-coordinator-0"))]
#[rule(Deployment, verbs(create))]
pub struct CoordinatorRules;

/// Everything that a `Feed` owns.
#[derive(OwnedSet)]
#[owned_set(owner = Feed, manager = "feed-operator", name = "{owner}-coordinator")]
#[owned_set(labels(
    "app.kubernetes.io/name" = "feed",
    "app.kubernetes.io/instance" = "{owner}",
    "app.kubernetes.io/managed-by" = "feed-operator",
    "app.kubernetes.io/component" = "coordinator",
))]
pub struct Objects {
    identity: Identity<CoordinatorRules>,
    config: Config,
    endpoint: Endpoint,
    #[member(after(identity, config, endpoint))]
    coordinator: Coordinator,
}

/// What the operator may do.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Feed, verbs(get), to_grant)]
#[rule(Feed/status, verbs(get, patch, update), to_grant)]
#[rule(Pod, verbs(get), to_grant)]
#[rule(Deployment, verbs(create), to_grant)]
pub struct OperatorRules;

impl Declare for Objects {
    type Settings = ();

    fn declare(owner: &Feed, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let name = owner.metadata.name.clone().unwrap_or_default();
        let pods: Labels = [("app.kubernetes.io/component", "coordinator"), ("app.kubernetes.io/instance", &name)]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
        Ok(Self {
            identity: Identity::new(CoordinatorRules),
            config: Config { document: owner.spec.document.clone() },
            endpoint: Endpoint { pods: pods.clone() },
            coordinator: Coordinator { pods, image: owner.spec.image.clone() },
        })
    }
}
