//! Custom resources as owned objects: nothing is known of their schema but their Rust type.

use super::{at_rest, stays_silent, writes};
use e2e_tests::{Arena, Auto, Gadget, GadgetPort, Manual, OFTEN, Widget, widget};
use k8s_openapi::api::core::v1::{PodTemplateSpec, Secret};
use k8s_openapi::api::networking::v1::{Ingress, IngressRule};
use serde_json::{Value, json};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Gadget)]
#[set(metadata.annotations {}, spec {
    ports[80].name = "http",
    ports[53, "UDP"].name = "dns",
    memory = "1024Mi",
})]
struct Tool {
    #[at(spec.count)]
    count: Option<i32>,
    #[at(spec.auto)]
    auto: Option<Auto>,
    #[at(spec.manual)]
    manual: Option<Manual>,
    #[at(spec.template)]
    template: Option<PodTemplateSpec>,
}

/// Nothing but one of two nested fields, and a list that is owned as a whole.
#[derive(OwnedResource)]
#[owned(Gadget, name = "{owner}-bare")]
#[set(spec.tuning.level = 7)]
struct Bare {
    #[at(spec.ports)]
    ports: Vec<GadgetPort>,
}

#[derive(OwnedResource)]
#[owned(Secret)]
#[set(string_data["a"] = "1")]
struct Hidden;

#[derive(OwnedResource)]
#[owned(Ingress)]
struct Way {
    #[at(spec.rules)]
    rules: Vec<IngressRule>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    tool: Tool,
    bare: Bare,
    hidden: Hidden,
    way: Way,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let rule = json!({ "host": "", "http": { "paths": [{ "path": "/", "pathType": "Exact",
            "backend": { "service": { "name": "w1", "port": { "number": 80 } } } }] } });
        let port = |port, protocol: &str| GadgetPort { port, protocol: protocol.to_owned(), name: None };
        Ok(Self {
            tool: Tool {
                count: owner.says("count")?,
                auto: owner.says("auto")?,
                manual: owner.says("manual")?,
                template: owner.says("template")?,
            },
            bare: Bare { ports: vec![port(1, "TCP"), port(1, "UDP")] },
            hidden: Hidden,
            way: Way { rules: vec![serde_json::from_value(rule).unwrap()] },
        })
    }
}

const GADGET: KindId = KindId::of::<Gadget>();
const KINDS: [KindId; 3] = [GADGET, KindId::of::<Secret>(), KindId::of::<Ingress>()];

#[tokio::test]
async fn a_10_a_custom_resource_is_written_once() {
    let arena = Arena::new("a-10").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let template = json!({ "spec": { "containers": [
        { "name": "main", "image": "main:1", "ports": [{ "containerPort": 80 }], "resources": { "limits": { "cpu": "0.50" } } },
    ] } });
    let mark = arena.mark().await;
    for count in [0, 1, -1, i32::MAX, i32::MIN] {
        arena.apply(&widget("w1", &json!({ "count": count, "template": template }))).await;
        arena.ready::<Objects>("w1").await;
        assert_eq!(arena.at(&GADGET, "w1", "/spec/count").await, count);
    }
    let requests = writes(at_rest::<Objects>(&arena, "w1", mark).await);
    assert_eq!(requests.len(), 4 + 4, "each object once, and the count four times more: {requests:#?}");
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.at(&GADGET, "w1", "/spec/tuning").await, json!({ "level": 3, "mode": "auto" }));
    assert_eq!(arena.at(&GADGET, "w1-bare", "/spec/tuning").await, json!({ "level": 7, "mode": "auto" }));
    assert_eq!(arena.at(&GADGET, "w1", "/spec/memory").await, "1024Mi", "as it is written");
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_16_key_fields_are_sent_though_they_have_defaults() {
    let arena = Arena::new("a-16-cr").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<Objects>("w1").await;
    let managed = arena.at(&GADGET, "w1", "/metadata/managedFields").await.to_string();
    assert!(managed.contains(r#"k:{\"port\":80,\"protocol\":\"TCP\"}"#), "{managed}");
    let ports =
        json!([{ "name": "http", "port": 80, "protocol": "TCP" }, { "name": "dns", "port": 53, "protocol": "UDP" }]);
    assert_eq!(arena.at(&GADGET, "w1", "/spec/ports").await, ports);
    assert_eq!(arena.at(&GADGET, "w1-bare", "/spec/ports/1/protocol").await, "UDP");
}

#[tokio::test]
async fn a_22_what_is_there_and_empty_arrives_and_goes() {
    let arena = Arena::new("a-22").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let steps = [
        (json!({ "auto": {} }), json!({}), Value::Null),
        (json!({ "auto": {}, "count": 1 }), json!({}), Value::Null),
        (json!({ "manual": { "size": 3 } }), Value::Null, json!({ "size": 3 })),
        (json!({ "auto": {} }), json!({}), Value::Null),
        (json!({}), Value::Null, Value::Null),
    ];
    for (spec, auto, manual) in steps {
        arena.apply(&widget("w1", &spec)).await;
        arena.ready::<Objects>("w1").await;
        let live = (arena.at(&GADGET, "w1", "/spec/auto").await, arena.at(&GADGET, "w1", "/spec/manual").await);
        assert_eq!(live, (auto, manual), "{spec}");
    }
    stays_silent(&arena, &KINDS).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
