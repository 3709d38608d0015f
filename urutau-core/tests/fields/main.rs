//! What is sent and what is refused before it is, field by field. Tests are named after the cases they show.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use k8s_openapi::ByteString;
mod names;

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, EnvVar, LocalObjectReference, PodSpec, PodTemplateSpec, Secret, Service, ServicePort,
    Volume,
};
use k8s_openapi::api::networking::v1::{NetworkPolicy, NetworkPolicyIngressRule};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::plan::Content;
use urutau_core::{Invalid, Kind, OwnedResource, OwnedSet, Plan};

#[derive(CustomResource, Kind, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "acme.example", version = "v1", kind = "Widget", namespaced)]
pub struct WidgetSpec {}

/// A custom resource with fields that have to be there.
#[derive(CustomResource, Kind, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "acme.example", version = "v1", kind = "Gadget", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct GadgetSpec {
    pub size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_size: Option<i32>,
}

type Texts = BTreeMap<String, String>;

#[derive(OwnedResource, Default)]
#[owned(Deployment)]
pub struct Workers {
    #[at(metadata.labels)]
    labels: Option<Texts>,
    #[at(metadata.annotations)]
    annotations: Option<Texts>,
    #[at(spec.replicas)]
    replicas: Option<i32>,
    #[at(spec.paused)]
    paused: Option<bool>,
    #[at(spec.template.spec.containers["main"].env)]
    env: Option<Vec<EnvVar>>,
    #[at(spec.template.spec.containers["main"].ports)]
    ports: Option<Vec<ContainerPort>>,
    #[at(spec.template.spec.volumes)]
    volumes: Option<Vec<Volume>>,
    #[at(spec.template.spec.image_pull_secrets)]
    pull: Option<Vec<LocalObjectReference>>,
    #[at(spec.template.spec.init_containers)]
    init: Option<Vec<Container>>,
}

#[derive(OwnedResource, Default)]
#[owned(Deployment, name = "whole")]
pub struct Whole {
    #[at(spec.template)]
    template: Option<PodTemplateSpec>,
}

#[derive(OwnedResource, Default)]
#[owned(Service)]
pub struct Front {
    #[at(spec.ports)]
    ports: Option<Vec<ServicePort>>,
    #[at(spec.selector)]
    selector: Option<Texts>,
    #[at(spec.cluster_ip)]
    cluster_ip: Option<String>,
}

#[derive(OwnedResource, Default)]
#[owned(NetworkPolicy)]
pub struct Wall {
    #[at(spec.ingress)]
    ingress: Option<Vec<NetworkPolicyIngressRule>>,
}

#[derive(OwnedResource, Default)]
#[owned(Secret)]
pub struct Hidden {
    #[at(string_data)]
    text: Option<Texts>,
    #[at(data)]
    bytes: Option<BTreeMap<String, ByteString>>,
    #[at(immutable)]
    immutable: Option<bool>,
}

#[derive(OwnedResource)]
#[owned(Gadget)]
pub struct Tool {
    #[at(spec)]
    spec: Option<GadgetSpec>,
}

#[derive(OwnedResource)]
#[owned(Gadget)]
#[set(spec.size = 1)]
pub struct Small;

#[derive(OwnedResource, Default)]
#[owned(StatefulSet)]
pub struct Stores {
    #[at(spec.template.spec)]
    pod: Option<PodSpec>,
}

/// Members one by one: each test says those that it is about.
#[derive(OwnedSet, Default)]
#[owned_set(owner = Widget, manager = "widget-operator")]
pub struct Objects {
    workers: Option<Workers>,
    whole: Option<Whole>,
    front: Option<Front>,
    wall: Option<Wall>,
    hidden: Option<Hidden>,
    tool: Option<Tool>,
    #[member(name = "small")]
    small: Option<Small>,
    stores: Option<Stores>,
}

fn from<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value::<Option<T>>(value).unwrap()
}

fn plan(objects: &Objects) -> Result<Plan, Invalid> {
    objects.plan("w1", "team-a")
}

fn bodies(objects: &Objects) -> Vec<Value> {
    let entries = plan(objects).unwrap().entries;
    let body = |content| if let Content::Object(item) = content { item.body } else { panic!("nothing waits") };
    entries.into_iter().map(|entry| body(entry.content)).collect()
}

fn problems(objects: &Objects) -> Vec<String> {
    plan(objects).unwrap_err().problems.iter().map(ToString::to_string).collect()
}

/// Every place in a value, with what is there.
fn places(value: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(path, value);
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                places(value, &format!("{path}/{key}"), visit);
            }
        }
        Value::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                places(value, &format!("{path}/{i}"), visit);
            }
        }
        _ => {}
    }
}

#[test]
fn a_11_what_nobody_said_is_not_sent() {
    // Whole subtrees, whose types have fields that are always serialised.
    let pod = json!({ "containers": [{ "name": "main", "image": "main:1" }] });
    let objects = Objects {
        workers: Some(Workers { replicas: Some(0), ..Workers::default() }),
        whole: Some(Whole { template: from(json!({ "metadata": { "labels": { "a": "b" } }, "spec": pod })) }),
        front: Some(Front { ports: from(json!([{ "port": 80 }])), ..Front::default() }),
        wall: Some(Wall { ingress: from(json!([{ "ports": [{ "port": 80 }] }])) }),
        hidden: Some(Hidden { text: from(json!({ "a": "" })), ..Hidden::default() }),
        tool: Some(Tool { spec: Some(GadgetSpec { size: 0, max_size: None }) }),
        small: Some(Small),
        stores: Some(Stores { pod: from(pod.clone()) }),
    };
    for body in bodies(&objects) {
        places(&body, "", &mut |path, value| {
            let name = path.rsplit('/').next().unwrap();
            assert!(!value.is_null(), "{path} in {body:#}");
            let forbidden = [
                "status",
                "creationTimestamp",
                "targetPort",
                "strategy",
                "resources",
                "updateStrategy",
                "loadBalancer",
            ];
            assert!(!forbidden.contains(&name), "{path} in {body:#}");
            assert!(*value != json!({}) && *value != json!([]), "{path} in {body:#}");
        });
    }
    let selectors = bodies(&objects).iter().filter(|body| body.pointer("/spec/selector").is_some()).count();
    assert_eq!(selectors, 0);
}

#[test]
fn a_23_what_is_none_is_not_sent_at_any_depth() {
    let everything_off = Objects {
        workers: Some(Workers::default()),
        whole: Some(Whole::default()),
        front: Some(Front::default()),
        wall: Some(Wall::default()),
        hidden: Some(Hidden::default()),
        // What its type requires has to be said of a custom resource.
        tool: None,
        small: None,
        stores: Some(Stores::default()),
    };
    for body in bodies(&everything_off) {
        let fields: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["apiVersion", "kind", "metadata"], "{body:#}");
        let metadata: Vec<_> = body["metadata"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(metadata, ["name", "namespace"], "{body:#}");
    }
    // What is empty says nothing either.
    let empty = Objects {
        workers: Some(Workers {
            labels: Some(Texts::new()),
            annotations: Some(Texts::new()),
            env: Some(Vec::new()),
            volumes: Some(Vec::new()),
            ..Workers::default()
        }),
        hidden: Some(Hidden { text: Some(Texts::new()), bytes: Some(BTreeMap::new()), immutable: None }),
        ..Objects::default()
    };
    for body in bodies(&empty) {
        assert_eq!(body.as_object().unwrap().len(), 3, "{body:#}");
    }
}

#[test]
fn a_12_text_is_sent_as_data_and_wins_over_it() {
    let bytes = |text: &str| ByteString(text.as_bytes().to_vec());
    let hidden = Hidden {
        text: from(json!({ "a": "größer\n", "empty": "", "both": "text" })),
        bytes: Some(BTreeMap::from([("both".to_owned(), bytes("bytes")), ("raw".to_owned(), bytes("\u{0}"))])),
        immutable: Some(true),
    };
    let [body] = &bodies(&Objects { hidden: Some(hidden), ..Objects::default() })[..] else { panic!("one body") };
    assert!(body.get("stringData").is_none());
    assert_eq!(body["data"], json!({ "a": "Z3LDtsOfZXIK", "both": "dGV4dA==", "empty": "", "raw": "AA==" }));
}

#[test]
fn a_14_two_entries_of_one_key_are_refused_by_path() {
    let cases: Vec<(Objects, &[&str])> = vec![
        (
            workers(Workers {
                ports: from(
                    json!([{ "containerPort": 80 }, { "containerPort": 81 }, { "containerPort": 80, "protocol": "TCP", "hostPort": 1 }]),
                ),
                ..Workers::default()
            }),
            &[
                "spec.template.spec.containers[0].ports[2]: has the key of spec.template.spec.containers[0].ports[0] (containerPort=80, protocol=\"TCP\"); a key may be there once",
            ],
        ),
        (
            workers(Workers {
                volumes: from(json!([{ "name": "a" }, { "name": "a" }, { "name": "a" }])),
                ..Workers::default()
            }),
            &[
                "spec.template.spec.volumes[1]: has the key of spec.template.spec.volumes[0] (name=\"a\"); a key may be there once",
                "spec.template.spec.volumes[2]: has the key of spec.template.spec.volumes[0] (name=\"a\"); a key may be there once",
            ],
        ),
        (
            workers(Workers { pull: from(json!([{ "name": "a" }, { "name": "a" }])), ..Workers::default() }),
            &[
                "spec.template.spec.imagePullSecrets[1]: has the key of spec.template.spec.imagePullSecrets[0] (name=\"a\"); a key may be there once",
            ],
        ),
        (
            workers(Workers {
                init: from(
                    json!([{ "name": "a", "volumeMounts": [{ "mountPath": "/a", "name": "x" }, { "mountPath": "/a", "name": "y" }] }]),
                ),
                ..Workers::default()
            }),
            &[
                "spec.template.spec.initContainers[0].volumeMounts[1]: has the key of spec.template.spec.initContainers[0].volumeMounts[0] (mountPath=\"/a\"); a key may be there once",
            ],
        ),
        (
            Objects {
                front: Some(Front {
                    ports: from(
                        json!([{ "port": 53, "protocol": "TCP" }, { "port": 53, "protocol": "UDP" }, { "port": 53, "name": "again" }]),
                    ),
                    ..Front::default()
                }),
                ..Objects::default()
            },
            &["spec.ports[2]: has the key of spec.ports[0] (port=53, protocol=\"TCP\"); a key may be there once"],
        ),
    ];
    for (objects, want) in cases {
        let problems = problems(&objects);
        assert_eq!(problems.len(), want.len(), "{problems:#?}");
        for (problem, want) in problems.iter().zip(want) {
            assert!(problem.ends_with(want), "{problem}\n{want}");
        }
    }
}

fn workers(workers: Workers) -> Objects {
    Objects { workers: Some(workers), ..Objects::default() }
}

#[test]
fn a_14_lists_that_are_no_maps_may_say_a_thing_twice() {
    // Atomic, and called as lists are that are merged by port and protocol.
    let ingress = json!([{ "ports": [{ "port": 80 }, { "port": 80 }] }]);
    let [body] = &bodies(&Objects { wall: Some(Wall { ingress: from(ingress.clone()) }), ..Objects::default() })[..]
    else {
        panic!("one body")
    };
    assert_eq!(body["spec"]["ingress"], ingress, "nothing is added to it either");
}

#[test]
fn a_16_the_protocol_of_a_port_is_always_sent() {
    let objects = Objects {
        workers: Some(Workers {
            ports: from(json!([{ "containerPort": 80 }, { "containerPort": 80, "protocol": "UDP" }])),
            ..Workers::default()
        }),
        front: Some(Front {
            ports: from(json!([{ "port": 80 }, { "port": 80, "protocol": "SCTP" }])),
            ..Front::default()
        }),
        ..Objects::default()
    };
    let [workers, front] = &bodies(&objects)[..] else { panic!("two bodies") };
    let ports = &workers["spec"]["template"]["spec"]["containers"][0]["ports"];
    assert_eq!((&ports[0]["protocol"], &ports[1]["protocol"]), (&json!("TCP"), &json!("UDP")));
    let ports = &front["spec"]["ports"];
    assert_eq!((&ports[0]["protocol"], &ports[1]["protocol"]), (&json!("TCP"), &json!("SCTP")));
}

#[test]
fn a_17_two_variables_of_one_name_are_refused_by_path() {
    let env = json!([{ "name": "A", "value": "1" }, { "name": "B", "value": "1" }, { "name": "A", "valueFrom": {} }]);
    let problems = problems(&workers(Workers { env: from(env), ..Workers::default() }));
    assert_eq!(
        problems,
        ["workers: Deployment `w1`: spec.template.spec.containers[0].env[2]: has the key of \
          spec.template.spec.containers[0].env[0] (name=\"A\"); a key may be there once"]
    );
}

#[test]
fn what_is_said_of_a_custom_resource_is_sent_and_nothing_else() {
    let [body] = &bodies(&Objects { small: Some(Small), ..Objects::default() })[..] else { panic!("one body") };
    let metadata = json!({ "name": "small", "namespace": "team-a" });
    assert_eq!(
        *body,
        json!({ "apiVersion": "acme.example/v1", "kind": "Gadget", "metadata": metadata, "spec": { "size": 1 } })
    );
}
