//! From each type of Service to each other.

use super::{WIDGET, writes};
use e2e_tests::{Arena, OFTEN, Widget, condition_of, eventually, quiet, widget};
use k8s_openapi::api::core::v1::Service;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http" })]
struct Front {
    #[at(spec.type_)]
    kind: Option<String>,
    #[at(spec.cluster_ip)]
    ip: Option<String>,
    #[at(spec.external_name)]
    elsewhere: Option<String>,
    #[at(spec.external_traffic_policy)]
    policy: Option<String>,
}

#[derive(OwnedResource)]
#[owned(Service, name = "{owner}-anew", apply = recreate)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http" })]
struct Anew {
    #[at(spec.type_)]
    kind: Option<String>,
    #[at(spec.cluster_ip)]
    ip: Option<String>,
    #[at(spec.external_name)]
    elsewhere: Option<String>,
    #[at(spec.external_traffic_policy)]
    policy: Option<String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    front: Front,
    anew: Anew,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let (kind, ip, elsewhere, policy) =
            (owner.says("type")?, owner.says("ip")?, owner.says("elsewhere")?, owner.says("policy")?);
        let anew = Anew { kind, ip, elsewhere, policy };
        let front = Front {
            kind: anew.kind.clone(),
            ip: anew.ip.clone(),
            elsewhere: anew.elsewhere.clone(),
            policy: anew.policy.clone(),
        };
        Ok(Self { front, anew })
    }
}

const SERVICE: KindId = KindId::of::<Service>();
const TYPES: [&str; 5] = ["cluster", "headless", "node", "balanced", "external"];

fn spec(of: &str) -> Value {
    match of {
        "cluster" => json!({ "type": "ClusterIP" }),
        "headless" => json!({ "type": "ClusterIP", "ip": "None" }),
        "node" => json!({ "type": "NodePort", "policy": "Local" }),
        "balanced" => json!({ "type": "LoadBalancer", "policy": "Local" }),
        _ => json!({ "type": "ExternalName", "elsewhere": "elsewhere.example" }),
    }
}

/// Every place in the spec of a Service, and its value where that does not depend on what was assigned.
async fn places(arena: &Arena, name: &str) -> BTreeSet<String> {
    let spec = arena.at(&SERVICE, name, "/spec").await;
    let port = spec["ports"][0].clone();
    let all = spec.as_object().into_iter().chain(port.as_object()).flatten();
    let assigned = ["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort", "ports", "selector"];
    let text = |(key, value): (&String, &Value)| {
        let headless = key == "clusterIP" && value == "None";
        if assigned.contains(&key.as_str()) && !headless { key.clone() } else { format!("{key}={value}") }
    };
    all.map(text).collect()
}

/// What became of a Service.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// It is as one that was of this type from the start.
    Same,
    /// The same but that it has no address.
    Headless,
    /// It is as it was, and the condition names the field that can't change.
    Immutable,
    /// It is as it was, and the condition names the field that does not go with the type.
    Refused,
}

async fn end(arena: &Arena, owner: &str, service: &str, want: &BTreeSet<String>) -> Result<End, Value> {
    let object = arena.any(&WIDGET).get(owner).await.unwrap();
    let ready = condition_of(&object, "Ready");
    let now = places(arena, service).await;
    let more: Vec<_> = now.difference(want).map(String::as_str).collect();
    let seen = ready["observedGeneration"].as_i64() == object.metadata.generation;
    let names_it = ready["message"].as_str().unwrap_or_default().contains("spec.clusterIPs[0]");
    match ready["reason"].as_str() {
        _ if now == *want => Ok(End::Same),
        Some("Ready") if seen && more == ["clusterIP=\"None\""] => Ok(End::Headless),
        Some("ImmutableFieldChange") if seen && names_it && !service.ends_with("-anew") => Ok(End::Immutable),
        Some("ApplyRefused") if seen && names_it => Ok(End::Refused),
        _ => Err(json!({ "ready": ready, "more": more })),
    }
}

#[tokio::test]
async fn c_14_a_service_becomes_of_another_type_or_says_why_not() {
    let arena = Arena::new("c-14").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let pairs: Vec<_> = TYPES.iter().flat_map(|from| TYPES.iter().map(move |to| (*from, *to))).collect();
    let name = |from: &str, to: &str| format!("{from}-{to}");
    for (from, to) in &pairs {
        arena.apply(&widget(&name(from, to), &spec(from))).await;
    }
    for (from, to) in &pairs {
        arena.ready::<Objects>(&name(from, to)).await;
    }
    arena.settled(arena.mark().await).await;
    for (from, to) in &pairs {
        arena.apply(&widget(&name(from, to), &spec(to))).await;
    }
    let mut ends = BTreeMap::new();
    for (from, to) in &pairs {
        let (name, like) = (name(from, to), format!("{to}-{to}"));
        let want = places(&arena, &like).await;
        for object in [name.clone(), format!("{name}-anew")] {
            let end = eventually(&format!("an end of {object}"), || end(&arena, &name, &object, &want)).await;
            if end != End::Same {
                ends.insert(object, end);
            }
        }
    }
    // An address can't be given up, only made anew. It can't be taken from silence either: what is headless stays so,
    // and with it can't become what has to have an address. Whoever means to has to say it, or to name it otherwise.
    let want = [
        ("cluster-headless", End::Immutable),
        ("node-headless", End::Immutable),
        ("balanced-headless", End::Immutable),
        ("headless-cluster", End::Headless),
        ("headless-cluster-anew", End::Headless),
        ("headless-node", End::Refused),
        ("headless-node-anew", End::Refused),
        ("headless-balanced", End::Refused),
        ("headless-balanced-anew", End::Refused),
    ];
    assert_eq!(ends, want.map(|(name, end)| (name.to_owned(), end)).into());
    // What came to its end is at rest.
    for name in ends.keys().filter(|name| !name.ends_with("-anew")) {
        arena.delete(&WIDGET, name).await;
    }
    arena.settled(arena.mark().await).await;
    let mark = arena.mark().await;
    quiet("a write", Duration::from_millis(1600), || async { writes(arena.since(mark).await) }).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
