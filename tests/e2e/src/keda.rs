//! KEDA, as far as it is met here: the schema of its `ScaledObject`s, with the rules of KEDA 2 for the fields that we
//! write and for their neighbours. KEDA itself is played by the tests.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::json;

/// The `CustomResourceDefinition` of KEDA's `ScaledObject`.
///
/// # Panics
/// Never: it is a constant.
pub fn scaled_objects() -> CustomResourceDefinition {
    let int32 = json!({ "type": "integer", "format": "int32" });
    let text = json!({ "type": "string" });
    let condition = json!({
        "type": "object",
        "required": ["status", "type"],
        "properties": { "type": text, "status": text, "reason": text, "message": text },
    });
    let trigger = json!({
        "type": "object",
        "required": ["metadata", "type"],
        "properties": {
            "type": text,
            "name": text,
            "metricType": text,
            "useCachedMetrics": { "type": "boolean" },
            "metadata": { "type": "object", "additionalProperties": text },
            "authenticationRef": {
                "type": "object", "required": ["name"], "properties": { "name": text, "kind": text },
            },
        },
    });
    let spec = json!({
        "type": "object",
        "required": ["scaleTargetRef", "triggers"],
        "properties": {
            "scaleTargetRef": {
                "type": "object",
                "required": ["name"],
                "properties": { "apiVersion": text, "kind": text, "name": text, "envSourceContainerName": text },
            },
            "minReplicaCount": int32,
            "maxReplicaCount": int32,
            "idleReplicaCount": int32,
            "pollingInterval": int32,
            "cooldownPeriod": int32,
            "initialCooldownPeriod": int32,
            "triggers": { "type": "array", "items": trigger },
        },
    });
    let crd = json!({
        "metadata": { "name": "scaledobjects.keda.sh" },
        "spec": {
            "group": "keda.sh",
            "scope": "Namespaced",
            "names": {
                "kind": "ScaledObject", "listKind": "ScaledObjectList", "plural": "scaledobjects",
                "singular": "scaledobject", "shortNames": ["so"],
            },
            "versions": [{
                "name": "v1alpha1",
                "served": true,
                "storage": true,
                "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "required": ["spec"],
                    "properties": {
                        "apiVersion": text,
                        "kind": text,
                        "metadata": { "type": "object" },
                        "spec": spec,
                        "status": {
                            "type": "object",
                            "properties": {
                                "conditions": { "type": "array", "items": condition },
                                "scaleTargetKind": text,
                                "hpaName": text,
                            },
                        },
                    },
                } },
            }],
        },
    });
    serde_json::from_value(crd).unwrap_or_default()
}
