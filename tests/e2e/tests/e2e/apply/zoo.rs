//! One object of every kind whose content the API server fills up, each with as little said as possible.

use super::{Labels, pods};
use e2e_tests::Widget;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscaler;
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::core::v1::{
    ConfigMap, PersistentVolumeClaim, ResourceQuota, Secret, Service, ServiceAccount, Toleration, VolumeProjection,
    VolumeResourceRequirements,
};
use k8s_openapi::api::networking::v1::{
    Ingress, IngressRule, NetworkPolicy, NetworkPolicyEgressRule, NetworkPolicyIngressRule,
};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use urutau_core::{Declare, Identity, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec {
    replicas = 0,
    template.spec {
        containers["main"] {
            image = "main",
            env["POD_IP"].value_from.field_ref.field_path = "status.podIP",
            env["CPU"].value_from.resource_field_ref.resource = "limits.cpu",
            env["KEY"].value_from.secret_key_ref { name = "s", key = "k" },
            ports[8080].name = "http",
            ports[53, "UDP"].name = "dns",
            liveness_probe.http_get { path = "/", port = 8080 },
            readiness_probe.tcp_socket.port = "http",
            startup_probe.exec.command = ["true"],
            lifecycle.pre_stop.http_get.port = 8080,
            volume_mounts["/s"].name = "secret",
        },
        init_containers["first"] { image = "first:1", security_context.read_only_root_filesystem = true },
        volumes["secret"].secret.secret_name = "s",
        volumes["config"].config_map.name = "c",
        volumes["host"].host_path.path = "/tmp",
        volumes["empty"].empty_dir {},
        affinity {},
        security_context {},
    },
})]
pub struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.template.spec.volumes["token"].projected.sources)]
    sources: Vec<VolumeProjection>,
    #[at(spec.template.spec.tolerations)]
    tolerations: Vec<Toleration>,
}

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 0, service_name = "{name}", template.spec.containers["main"].image = "main:1" })]
pub struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.volume_claim_templates)]
    claims: Vec<PersistentVolumeClaim>,
}

#[derive(OwnedResource)]
#[owned(DaemonSet)]
#[set(spec.template.spec { node_selector["no"] = "where", containers["main"].image = "main:1" })]
pub struct Agents {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
}

#[derive(OwnedResource)]
#[owned(Job)]
#[set(spec { suspend = true, template.spec { restart_policy = "Never", containers["main"].image = "main:1" } })]
pub struct Task;

#[derive(OwnedResource)]
#[owned(CronJob)]
#[set(spec {
    schedule = "0 0 1 1 *",
    suspend = true,
    job_template.spec.template.spec { restart_policy = "Never", containers["main"].image = "main:1" },
})]
pub struct Nightly;

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http", ports[53, "UDP"].name = "dns" })]
pub struct Front;

#[derive(OwnedResource)]
#[owned(Ingress)]
pub struct Way {
    #[at(spec.rules)]
    rules: Vec<IngressRule>,
}

#[derive(OwnedResource)]
#[owned(NetworkPolicy)]
#[set(spec.pod_selector {})]
pub struct Wall {
    #[at(spec.ingress)]
    ingress: Vec<NetworkPolicyIngressRule>,
    #[at(spec.egress)]
    egress: Vec<NetworkPolicyEgressRule>,
}

#[derive(OwnedResource)]
#[owned(HorizontalPodAutoscaler)]
#[set(spec { max_replicas = 3, scale_target_ref { kind = "Deployment", name = "elsewhere", api_version = "apps/v1" } })]
pub struct Scaler;

#[derive(OwnedResource)]
#[owned(PodDisruptionBudget)]
#[set(spec { max_unavailable = 1, selector {} })]
pub struct Budget;

#[derive(OwnedResource)]
#[owned(PersistentVolumeClaim, ready)]
#[set(spec.access_modes = ["ReadWriteOnce"])]
pub struct Claim {
    #[at(spec.resources)]
    resources: VolumeResourceRequirements,
}

#[derive(OwnedResource)]
#[owned(ResourceQuota)]
#[set(spec { hard["count/widgets.acme.example"] = "1k", hard["requests.memory"] = "1024Gi" })]
pub struct Quota;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["a"] = "1")]
pub struct Page;

#[derive(OwnedResource)]
#[owned(Secret)]
#[set(string_data["a"] = "1")]
pub struct Hidden;

#[derive(RbacRules)]
#[rule(ConfigMap, verbs(get), names("{owner}"))]
pub struct Granted;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", labels("zoo" = "{owner}"))]
pub struct Zoo {
    identity: Identity<Granted>,
    page: Page,
    hidden: Hidden,
    quota: Quota,
    claim: Claim,
    front: Front,
    way: Way,
    wall: Wall,
    #[member(after(identity, page, hidden))]
    workers: Workers,
    stores: Stores,
    agents: Agents,
    task: Task,
    nightly: Nightly,
    #[member(after(workers))]
    scaler: Scaler,
    budget: Budget,
}

#[derive(RbacRules)]
#[rbac(manages(Zoo))]
#[rule(ConfigMap, verbs(get), to_grant)]
pub struct Rules;

impl Declare for Zoo {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let labels = pods(owner);
        Ok(Self {
            identity: Identity::new(Granted),
            page: Page,
            hidden: Hidden,
            quota: Quota,
            claim: Claim { resources: from(json!({ "requests": { "storage": "1024Mi" } })) },
            front: Front,
            way: Way {
                rules: from(json!([{ "http": { "paths": [{ "path": "/", "pathType": "Prefix",
                    "backend": { "service": { "name": "w1", "port": { "number": 80 } } } }] } }])),
            },
            wall: Wall {
                ingress: from(json!([{ "ports": [{ "port": 80 }], "from": [{ "podSelector": {} }] }, {}])),
                egress: from(json!([{ "ports": [{ "port": 53, "protocol": "UDP" }, { "port": 53 }] }])),
            },
            workers: Workers {
                labels: labels.clone(),
                sources: from(json!([
                    { "serviceAccountToken": { "path": "token" } },
                    { "configMap": { "name": "c" } },
                    { "downwardAPI": { "items": [{ "path": "name", "fieldRef": { "fieldPath": "metadata.name" } }] } },
                ])),
                tolerations: from(json!([{ "key": "a", "operator": "Exists" }, { "key": "b", "value": "c" }])),
            },
            stores: Stores {
                labels: labels.clone(),
                claims: from(json!([{
                    "metadata": { "name": "data" },
                    "spec": { "accessModes": ["ReadWriteOnce"], "resources": { "requests": { "storage": "1Gi" } } },
                }])),
            },
            agents: Agents { labels },
            task: Task,
            nightly: Nightly,
            scaler: Scaler,
            budget: Budget,
        })
    }
}

fn from<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// Every kind of the zoo.
pub fn kinds() -> Vec<KindId> {
    let kinds = <Zoo as urutau_core::Member>::NODE.kinds();
    assert_eq!(
        kinds.len(),
        17,
        "{:?}",
        [KindId::of::<ServiceAccount>(), KindId::of::<Role>(), KindId::of::<RoleBinding>()]
    );
    kinds.into_iter().map(|watched| watched.kind).collect()
}
