//! Lists that are merged by a key of two fields.

use super::{Labels, at_rest, pods, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, OFTEN, Widget, condition_of, quiet, widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ContainerPort, Service, ServicePort};
use serde_json::{Value, json};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = 0, template.spec.containers["main"].image = "main:1" })]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(metadata.labels)]
    own: Labels,
    #[at(spec.template.spec.containers["main"].ports)]
    ports: Vec<ContainerPort>,
}

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec.selector["app"] = "{owner}")]
struct Front {
    #[at(spec.ports)]
    ports: Vec<ServicePort>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
    front: Front,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let ports: Vec<Value> = owner.says("ports")?;
        let container = |port: &Value| {
            let port = json!({ "name": port["name"], "containerPort": port["port"], "protocol": port["protocol"] });
            serde_json::from_value(port).unwrap()
        };
        Ok(Self {
            workers: Workers {
                labels: pods(owner),
                own: owner.says("labels")?,
                ports: ports.iter().map(container).collect(),
            },
            front: Front { ports: owner.says("ports")? },
        })
    }
}

const KINDS: [KindId; 2] = [KindId::of::<Deployment>(), KindId::of::<Service>()];
const PORTS: &str = "/spec/template/spec/containers/0/ports";

/// The ports of the container and of the Service: `name port/protocol`, sorted.
async fn live(arena: &Arena) -> [Vec<String>; 2] {
    let text = |port: &Value| {
        let number = if port["port"].is_null() { &port["containerPort"] } else { &port["port"] };
        format!("{} {number}/{}", port["name"].as_str().unwrap(), port["protocol"].as_str().unwrap())
    };
    let all = |list: Value| {
        let mut all: Vec<_> = list.as_array().into_iter().flatten().map(text).collect();
        all.sort();
        all
    };
    [all(arena.at(&KINDS[0], "w1", PORTS).await), all(arena.at(&KINDS[1], "w1", "/spec/ports").await)]
}

#[tokio::test]
async fn a_15_one_port_of_two_protocols_is_two_ports() {
    let arena = Arena::new("a-15").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let port = |name: &str, port: u16, protocol: &str| json!({ "name": name, "port": port, "protocol": protocol });
    let steps: &[(Value, &[&str])] = &[
        (json!([port("tcp", 53, "TCP"), port("udp", 53, "UDP")]), &["tcp 53/TCP", "udp 53/UDP"]),
        (json!([port("tcp", 53, "TCP"), port("dns", 53, "UDP")]), &["dns 53/UDP", "tcp 53/TCP"]),
        (json!([port("dns", 53, "UDP")]), &["dns 53/UDP"]),
        // The names change places, the order too.
        (json!([port("dns", 53, "TCP"), port("web", 53, "UDP")]), &["dns 53/TCP", "web 53/UDP"]),
        (json!([port("web", 53, "TCP"), port("dns", 53, "UDP")]), &["dns 53/UDP", "web 53/TCP"]),
        (json!([port("s", 53, "SCTP"), port("dns", 53, "UDP")]), &["dns 53/UDP", "s 53/SCTP"]),
    ];
    let mark = arena.mark().await;
    for (ports, want) in steps {
        arena.apply(&widget("w1", &json!({ "ports": ports }))).await;
        arena.ready::<Objects>("w1").await;
        for live in live(&arena).await {
            assert_eq!(live, *want, "{ports}");
        }
    }
    let requests = writes(arena.settled(mark).await);
    assert_eq!(requests.len(), 2 * steps.len(), "{requests:#?}");
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_16_a_port_without_a_protocol_is_of_tcp() {
    let arena = Arena::new("a-16").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena
        .apply(&widget(
            "w1",
            &json!({ "ports": [{ "name": "a", "port": 80 }, { "name": "b", "port": 80, "protocol": "UDP" }] }),
        ))
        .await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    assert_eq!(live(&arena).await, [["a 80/TCP", "b 80/UDP"]; 2]);
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_14_two_ports_of_one_key_are_refused_before_anything_is_sent() {
    let arena = Arena::new("a-14").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let twice =
        json!({ "ports": [{ "name": "http", "port": 8080 }, { "name": "metrics", "port": 8080, "protocol": "TCP" }] });
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &twice)).await;
    let owner = arena.condition(&KindId::of::<Widget>(), "w1", "Ready", "False").await;
    let ready = condition_of(&owner, "Ready");
    assert_eq!(ready["reason"], "Invalid");
    let message = ready["message"].as_str().unwrap();
    for part in ["workers", "spec.template.spec.containers[0].ports[1]", "containerPort=8080", "front", "spec.ports[1]"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(writes(arena.settled(mark).await).is_empty());

    // Mended, and later broken again: what runs stays.
    arena.apply(&widget("w1", &json!({ "ports": [{ "name": "http", "port": 8080 }] }))).await;
    at_rest::<Objects>(&arena, "w1", mark).await;
    let before = arena.versions(&KINDS).await;
    arena.apply(&widget("w1", &twice)).await;
    arena.condition(&KindId::of::<Widget>(), "w1", "Ready", "False").await;
    let mark = arena.mark().await;
    quiet("a request", Duration::from_secs(1), || arena.since(mark)).await;
    assert_eq!(arena.versions(&KINDS).await, before);
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_14_what_another_wrote_twice_does_not_stop_us() {
    let arena = Arena::new("a-14-live").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let spec = |label: &str| json!({ "labels": { "l": label }, "ports": [{ "name": "http", "port": 8080 }] });
    arena.apply(&widget("w1", &spec("1"))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    let twin = json!({ "name": "twin", "containerPort": 8080, "hostPort": 1, "protocol": "TCP" });
    arena.edit(MANAGER, &KINDS[0], "w1", "add", &format!("{PORTS}/-"), twin).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &spec("2"))).await;
    arena.becomes(&KINDS[0], "w1", "/metadata/labels/l", &json!("2")).await;
    at_rest::<Objects>(&arena, "w1", mark).await;
    stays_silent(&arena, &KINDS).await;
    let [container, _] = live(&arena).await;
    assert!(container.contains(&"http 8080/TCP".to_owned()), "{container:?}");
    assert_eq!(arena.refused().await, [""; 0]);
}
