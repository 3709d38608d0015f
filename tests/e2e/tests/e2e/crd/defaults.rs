//! H-16: what the API server fills in is what the type has.

use super::server::Server;
use super::{example, object, with};
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use urutau_core::Kind;
use urutau_operator::api::{CDCPipeline, CDCPipelineSpec};

#[tokio::test]
async fn h_16_defaults_are_the_same_with_and_without_the_server() {
    let server = Server::with::<CDCPipeline>().await;
    let expected = CDCPipelineSpec::default();
    let filled = json!({ "coordinator": { "metricsAddr": ":9090" }, "suspend": false });
    let cases = [
        json!({}),
        json!({ "coordinator": {} }),
        json!({ "coordinator": { "snapshot": {}, "supervision": {} }, "worker": {}, "secrets": {}, "definition": {} }),
        filled.clone(),
    ];
    for (i, spec) in cases.into_iter().enumerate() {
        let sent = with(with(example(), "/metadata/name", json!(format!("p{i}"))), "/spec", spec.clone());
        let stored = server.create(&sent).await.unwrap();
        for given in [&sent, &stored] {
            let read: CDCPipeline = serde_json::from_value(given.clone()).unwrap();
            assert_eq!(read.spec, expected, "{spec}");
            assert_eq!(serde_json::to_value(&read.spec).unwrap(), filled, "{spec}");
        }
    }
    let message = server.try_create(&with(example(), "/spec", Value::Null)).await.unwrap_err();
    assert!(message.contains("spec: Required value"), "{message}");
}

/// What an author writes for a default below a parent that may be absent: the parent has a default of its own, made from
/// the same values.
#[derive(CustomResource, Kind, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Server16", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct Server16Spec {
    #[serde(default)]
    tls: Tls,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Tls {
    #[serde(default = "min_version")]
    min_version: String,
}

impl Default for Tls {
    fn default() -> Self {
        Self { min_version: min_version() }
    }
}

fn min_version() -> String {
    "1.3".to_owned()
}

#[tokio::test]
async fn h_16_a_default_below_an_absent_parent_is_filled_in_where_the_parent_has_one() {
    let server = Server::with::<Server16>().await;
    for (i, spec) in [json!({}), json!({ "tls": {} })].into_iter().enumerate() {
        let sent = object("Server16", &format!("s{i}"), &spec);
        let stored = server.create(&sent).await.unwrap();
        assert_eq!(stored["spec"], json!({ "tls": { "minVersion": "1.3" } }));
        for given in [sent, stored] {
            let read: Server16 = serde_json::from_value(given).unwrap();
            assert_eq!(read.spec, Server16Spec::default());
        }
    }
}
