//! H-08: the status that the engine writes, shared with others.

use super::server::Server;
use super::{example, object};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use urutau_core::{Condition, Kind, Status};
use urutau_operator::api::CDCPipeline;

/// A kind with the engine's status as it is.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Plain", namespaced, status = "Status")]
pub struct PlainSpec {}

/// A kind with a status of its own around the engine's.
#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Around", namespaced, status = "AroundStatus")]
pub struct AroundSpec {}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AroundStatus {
    #[serde(flatten)]
    common: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
}

fn status(kind: &str, name: &str, status: &Value) -> Value {
    let version = if kind == "CDCPipeline" { "urutau.io/v1alpha1" } else { "crd.test/v1" };
    json!({ "apiVersion": version, "kind": kind, "metadata": { "name": name }, "status": status })
}

fn condition(type_: &str, reason: &str) -> Value {
    json!({ "type": type_, "status": "True", "reason": reason, "message": "m", "lastTransitionTime": "2026-01-01T00:00:00Z" })
}

fn reasons(object: &Value) -> Vec<(String, String)> {
    let conditions = object["status"]["conditions"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut reasons: Vec<_> = conditions.map(|one| (text(&one["type"]), text(&one["reason"]))).collect();
    reasons.sort();
    reasons
}

/// Two managers write one condition each, and neither touches the other's.
async fn share_conditions(server: &Server, kind: &str, name: &str) {
    let apply = async |manager: &str, one: Option<Value>| {
        let conditions: Vec<Value> = one.into_iter().collect();
        server.apply_status(manager, &status(kind, name, &json!({ "conditions": conditions }))).await.unwrap()
    };
    let shown = |reasons: &[(&str, &str)]| -> Vec<(String, String)> {
        reasons.iter().map(|(type_, reason)| ((*type_).to_owned(), (*reason).to_owned())).collect()
    };
    apply("one", Some(condition("Ready", "A"))).await;
    let both = apply("two", Some(condition("Backup", "B"))).await;
    assert_eq!(reasons(&both), shown(&[("Backup", "B"), ("Ready", "A")]));
    let changed = apply("one", Some(condition("Ready", "C"))).await;
    assert_eq!(reasons(&changed), shown(&[("Backup", "B"), ("Ready", "C")]));
    let removed = apply("two", None).await;
    assert_eq!(reasons(&removed), shown(&[("Ready", "C")]));
    let twice = json!({ "conditions": [condition("Ready", "A"), condition("Ready", "B")] });
    assert!(server.apply_status("three", &status(kind, name, &twice)).await.is_err());
}

#[tokio::test]
async fn h_08_two_managers_each_have_a_condition_of_their_own() {
    let server = Server::with::<CDCPipeline>().await;
    server.create(&example()).await.unwrap();
    share_conditions(&server, "CDCPipeline", "shop-mysql").await;
    let server = Server::with::<Plain>().await;
    server.create(&object("Plain", "p", &json!({}))).await.unwrap();
    share_conditions(&server, "Plain", "p").await;
    let server = Server::with::<Around>().await;
    server.create(&object("Around", "a", &json!({}))).await.unwrap();
    share_conditions(&server, "Around", "a").await;
}

#[tokio::test]
async fn a_status_goes_through_the_type_and_back() {
    let server = Server::with::<Around>().await;
    server.create(&object("Around", "a", &json!({}))).await.unwrap();
    let sent = json!({
        "address": "here", "observedGeneration": 1, "conditions": [condition("Ready", "A")],
        "owned": [
            { "group": "apps", "kind": "Deployment", "namespace": "n", "name": "a", "uid": "u", "fingerprint": "f" },
            { "kind": "Namespace", "name": "n", "uid": "v", "fingerprint": "g" },
        ],
    });
    let stored = server.apply_status("urutau", &status("Around", "a", &sent)).await.unwrap();
    assert_eq!(stored["status"], sent);
    let read: Around = serde_json::from_value(stored).unwrap();
    assert_eq!(serde_json::to_value(read.status).unwrap(), sent);
}

/// The API server takes what `Condition::new` makes of anything, and refuses what it would not make.
#[tokio::test]
async fn conditions_are_held_to_their_limits() {
    let server = Server::with::<CDCPipeline>().await;
    server.create(&example()).await.unwrap();
    let apply = async |condition: Value| {
        server.apply_status("x", &status("CDCPipeline", "shop-mysql", &json!({ "conditions": [condition] }))).await
    };
    let with = |field: &str, value: Value| {
        let mut condition = condition("Ready", "A");
        condition[field] = value;
        condition
    };
    let bad = [
        ("reason", json!(""), "should be at least 1 chars long"),
        ("reason", json!("a b"), "should match"),
        ("reason", json!("1a"), "should match"),
        ("reason", json!("a".repeat(1025)), "Too long: may not be more than 1024 bytes"),
        ("message", json!("a".repeat(32769)), "Too long: may not be more than 32768 bytes"),
        ("status", json!("true"), "supported values: \"True\", \"False\", \"Unknown\""),
        ("type", json!(""), "should be at least 1 chars long"),
        ("lastTransitionTime", json!("now"), "must be of type date-time"),
        ("observedGeneration", json!("1"), "expected numeric"),
    ];
    for (field, value, expected) in bad {
        let Err(message) = apply(with(field, value.clone())).await else { panic!("{field}: {value} was taken") };
        assert!(message.contains(expected), "{field}: {message}");
    }
    let texts = ["", "Ready", "not ready", "1 of 2", "é", "a:b,c_", "\n", &"x".repeat(70_000), &"ä".repeat(70_000)];
    for text in texts {
        for holds in [true, false] {
            let made = serde_json::to_value(Condition::new("Ready", holds, text, text)).unwrap();
            if let Err(message) = apply(made).await {
                panic!("{text:.20}: {message}");
            }
        }
    }
}
