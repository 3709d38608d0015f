//! What is empty, and what the API server makes of it.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, OFTEN, Widget, widget};
use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, ResourceRequirements, Service, Toleration, TopologySpreadConstraint};
use k8s_openapi::api::networking::v1::{Ingress, IngressRule};
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec {
    replicas = 0,
    template.spec {
        node_name = "",
        host_network = false,
        containers["main"] {
            image = "main:1",
            image_pull_policy = "",
            termination_message_path = "",
            tty = false,
            env["FOO"].value = "",
            volume_mounts["/data"] { name = "data", sub_path = "" },
        },
        volumes["data"].empty_dir.medium = "",
    },
})]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
}

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { cluster_ip = "", external_name = "", selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front;

#[derive(OwnedResource)]
#[owned(Ingress)]
struct Way {
    #[at(spec.rules)]
    rules: Vec<IngressRule>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["empty"] = "", metadata { annotations {}, labels["empty"] = "" })]
struct Page;

#[derive(OwnedResource)]
#[owned(StatefulSet)]
#[set(spec { replicas = 0, service_name = "{name}", template.spec.containers["main"].image = "main:1" })]
struct Stores {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.template.spec.containers["main"].resources)]
    resources: ResourceRequirements,
    #[at(spec.template.spec.tolerations)]
    tolerations: Vec<Toleration>,
    #[at(spec.template.spec.topology_spread_constraints)]
    spread: Vec<TopologySpreadConstraint>,
    #[at(spec.template.spec.node_selector)]
    nodes: Labels,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    front: Front,
    way: Way,
    page: Page,
    stores: Stores,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let rule = json!({ "host": "", "http": { "paths": [{ "path": "", "pathType": "ImplementationSpecific",
            "backend": { "service": { "name": "w1", "port": { "number": 80 } } } }] } });
        Ok(Self {
            workers: Workers { labels: pods(owner) },
            front: Front,
            way: Way { rules: vec![serde_json::from_value(rule).unwrap()] },
            page: Page,
            stores: Stores {
                labels: pods(owner),
                resources: owner.says("resources")?,
                tolerations: owner.says("tolerations")?,
                spread: Vec::new(),
                nodes: owner.says("nodes")?,
            },
        })
    }
}

const KINDS: [KindId; 5] = [
    KindId::of::<Deployment>(),
    KindId::of::<Service>(),
    KindId::of::<Ingress>(),
    KindId::of::<ConfigMap>(),
    KindId::of::<StatefulSet>(),
];

#[tokio::test]
async fn a_05_an_empty_text_that_is_not_stored_is_no_difference() {
    let arena = Arena::new("a-05").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({}))).await;
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.len(), KINDS.len(), "each object is written once: {requests:#?}");
    stays_silent(&arena, &KINDS).await;
    let variable = "/spec/template/spec/containers/0/env/0";
    assert_eq!(arena.at(&KINDS[0], "w1", variable).await, json!({ "name": "FOO" }));

    // Applied once more, nothing of it is a change either, to Deployments and Services in particular.
    let mark = arena.mark().await;
    for kind in &KINDS {
        let generation = arena.at(kind, "w1", "/metadata/generation").await;
        arena.edit(MANAGER, kind, "w1", "remove", "/metadata/ownerReferences", Value::Null).await;
        arena.becomes(kind, "w1", "/metadata/ownerReferences/0/name", &json!("w1")).await;
        assert_eq!(arena.at(kind, "w1", "/metadata/generation").await, generation, "{kind}");
    }
    assert_eq!(writes(arena.settled(mark).await).len(), KINDS.len());
    stays_silent(&arena, &KINDS).await;

    // A value where there is to be none is taken back.
    let value = format!("{variable}/value");
    arena.edit(MANAGER, &KINDS[0], "w1", "add", &value, json!("theirs")).await;
    arena.becomes(&KINDS[0], "w1", &value, &Value::Null).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_37_what_becomes_empty_goes_and_what_is_empty_is_silent() {
    let arena = Arena::new("a-37").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let full = json!({
        "resources": { "requests": { "cpu": "1" }, "limits": {} },
        "tolerations": [{ "key": "a", "operator": "Exists" }, { "key": "b" }],
        "nodes": { "disk": "fast" },
    });
    let empty = json!({ "resources": { "requests": {}, "limits": {} }, "tolerations": [], "nodes": {} });
    let (sets, pod) = (KindId::of::<StatefulSet>(), "/spec/template/spec");
    for (spec, resources, tolerations, nodes) in [
        (&empty, json!({}), Value::Null, Value::Null),
        (&full, json!({ "requests": { "cpu": "1" } }), json!("b"), json!({ "disk": "fast" })),
        (&empty, json!({}), Value::Null, Value::Null),
    ] {
        arena.apply(&widget("w1", spec)).await;
        arena.ready::<Objects>("w1").await;
        assert_eq!(arena.at(&sets, "w1", &format!("{pod}/containers/0/resources")).await, resources);
        assert_eq!(arena.at(&sets, "w1", &format!("{pod}/tolerations/1/key")).await, tolerations);
        assert_eq!(arena.at(&sets, "w1", &format!("{pod}/nodeSelector")).await, nodes);
    }
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
