//! H-04: types of Kubernetes' own in a spec.

use super::object;
use super::server::Server;
use k8s_openapi::api::core::v1::{PodTemplateSpec, ResourceRequirements};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, CustomResourceExt as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use urutau_core::Kind;

#[derive(CustomResource, Kind, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[kube(group = "crd.test", version = "v1", kind = "Imported", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct ImportedSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    quantity: Option<Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<IntOrString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<ResourceRequirements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<PodTemplateSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<LabelSelector>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<Quantity>,
}

#[tokio::test]
async fn h_04_numbers_texts_and_nulls_are_taken_and_read() {
    let crd = serde_json::to_value(Imported::crd()).unwrap();
    let fields = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    for field in ["quantity", "port"] {
        assert_eq!(fields[field]["x-kubernetes-int-or-string"], true, "{field}");
        assert_eq!(fields[field]["nullable"], true, "{field}");
    }
    let server = Server::with::<Imported>().await;
    let template = json!({ "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{
        "name": "c", "image": "i", "ports": [{ "containerPort": 1 }], "env": [{ "name": "A", "value": "b" }],
        "resources": { "limits": { "cpu": 1, "memory": "1Gi" } },
        "livenessProbe": { "httpGet": { "port": "http" }, "periodSeconds": 5 },
    }] } });
    let good = [
        json!({}),
        json!({ "quantity": null, "port": null, "time": null, "resources": null, "template": null, "selector": null }),
        json!({ "quantity": 1, "port": 1, "list": [1, "1"] }),
        json!({ "quantity": "1", "port": "1" }),
        json!({ "quantity": "0.5", "port": "http", "time": "2026-01-01T00:00:00Z" }),
        json!({ "resources": { "limits": { "cpu": 1 }, "requests": { "cpu": "500m" } } }),
        json!({ "template": template, "selector": { "matchLabels": { "a": "b" }, "matchExpressions": [{ "key": "k", "operator": "In", "values": ["v"] }] } }),
    ];
    for (i, spec) in good.iter().enumerate() {
        let stored = server
            .create(&object("Imported", &format!("good-{i}"), spec))
            .await
            .unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(&stored["spec"], spec);
        let read: Imported = serde_json::from_value(stored).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let mut written = serde_json::to_value(read).unwrap();
        assert!(!written["spec"].to_string().contains("null"), "{written}");
        written["metadata"] = json!({ "name": format!("again-{i}") });
        server.create(&written).await.unwrap_or_else(|error| panic!("{spec}: {error}"));
    }
    let bad = [
        json!({ "quantity": 0.5 }),
        json!({ "quantity": true }),
        json!({ "port": 0.5 }),
        json!({ "time": "noon" }),
        json!({ "resources": { "limits": { "cpu": [1] } } }),
        json!({ "template": { "spec": { "containers": {} } } }),
    ];
    for spec in bad {
        assert!(server.try_create(&object("Imported", "bad", &spec)).await.is_err(), "{spec} was taken");
    }
}
