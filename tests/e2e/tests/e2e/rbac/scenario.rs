//! Everything that can happen to a pipeline's objects, in short: made, collided with, repaired, removed, complained of.

use crate::pipeline::{NAME, example, pipeline, with};
use e2e_tests::{Arena, eventually};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{ConfigMap, Service, ServiceAccount};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{DeleteParams, ListParams};
use serde_json::{Value, json};
use urutau_core::KindId;
use urutau_operator::api::CDCPipeline;
use urutau_operator::objects::PipelineObjects;

/// The owned kinds, with a name that the pipeline `blocked` wants for each.
fn kinds() -> Vec<(KindId, Value)> {
    let coordinator = "blocked-coordinator";
    let plain = |kind: &KindId, spec: Value| {
        let mut object =
            json!({ "apiVersion": kind.api_version(), "kind": kind.kind, "metadata": { "name": coordinator } });
        object.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
        (*kind, object)
    };
    let selector = json!({ "matchLabels": { "a": "b" } });
    let template =
        json!({ "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{ "name": "c", "image": "i" }] } });
    let role = json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "x" });
    vec![
        plain(&KindId::of::<ServiceAccount>(), json!({})),
        plain(&KindId::of::<Role>(), json!({ "rules": [] })),
        plain(&KindId::of::<RoleBinding>(), json!({ "roleRef": role })),
        plain(&KindId::of::<ConfigMap>(), json!({})),
        plain(&KindId::of::<Service>(), json!({ "spec": { "ports": [{ "port": 1 }] } })),
        plain(&KindId::of::<PodDisruptionBudget>(), json!({ "spec": { "selector": selector, "maxUnavailable": 1 } })),
        plain(
            &KindId::of::<StatefulSet>(),
            json!({ "spec": { "selector": selector, "template": template, "replicas": 0, "serviceName": "x" } }),
        ),
    ]
}

/// What has to be there before the operator: the CRD, the Secrets, and objects of somebody else where a second pipeline
/// wants its own.
pub(super) async fn prepare(arena: &Arena) {
    arena.install::<CDCPipeline>().await;
    for secret in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(secret).await;
    }
    // Objects of somebody else stand where a second pipeline wants its own.
    for (_, object) in kinds() {
        arena.apply(&object).await;
    }
}

/// Runs through it; the operator has been started.
pub(super) async fn run(arena: &Arena) {
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    let mut blocked = pipeline();
    blocked["metadata"]["name"] = json!("blocked");
    blocked["spec"]["definition"]["inline"]["pipeline"] = json!("blocked");
    blocked["spec"]["definition"]["inline"]["source"]["serverId"] = json!("1102");
    arena.apply(&blocked).await;
    let pipelines = KindId::of::<CDCPipeline>();
    arena.condition(&pipelines, "blocked", "Ready", "False").await;
    eventually("look at each object in the way", || async {
        let seen: Vec<String> = arena
            .requests()
            .await
            .into_iter()
            .filter(|request| request.verb == "get")
            .map(|request| request.resource)
            .collect();
        let unseen: Vec<_> = kinds()
            .into_iter()
            .map(|(kind, _)| kind)
            // It comes after the others, which are in the way.
            .filter(|kind| {
                kind.kind != "StatefulSet" && kind.kind != "RoleBinding" && !seen.iter().any(|seen| seen == kind.plural)
            })
            .collect();
        if unseen.is_empty() { Ok(()) } else { Err(unseen) }
    })
    .await;
    // What is in the way goes, one kind after the other, so that the later ones are met as well.
    for (kind, _) in kinds() {
        if !matches!(kind.kind, "RoleBinding" | "StatefulSet") {
            arena.any(&kind).delete("blocked-coordinator", &DeleteParams::default()).await.unwrap();
        }
    }
    for kind in ["rolebindings", "statefulsets"] {
        eventually(&format!("look at the {kind}"), || async {
            let requests = arena.requests().await;
            if requests.iter().any(|request| request.verb == "get" && request.resource == kind) {
                Ok(())
            } else {
                Err(requests.len())
            }
        })
        .await;
        let kind = if kind == "rolebindings" { KindId::of::<RoleBinding>() } else { KindId::of::<StatefulSet>() };
        arena.any(&kind).delete("blocked-coordinator", &DeleteParams::default()).await.unwrap();
    }
    arena.ready::<PipelineObjects>("blocked").await;
    prune_each(arena).await;
}

/// Leaves an object of each kind that the pipeline owns and does not declare, for the operator to remove.
async fn prune_each(arena: &Arena) {
    let owner = arena.any(&KindId::of::<CDCPipeline>()).get(NAME).await.unwrap();
    let reference = json!([{
        "apiVersion": "urutau.io/v1alpha1", "kind": "CDCPipeline", "name": NAME,
        "uid": owner.metadata.uid.unwrap(), "controller": true,
    }]);
    for (_, mut object) in kinds() {
        object["metadata"] = json!({ "name": "surplus", "ownerReferences": reference });
        arena.apply(&object).await;
    }
    // A document that can't be is an event; the same again is counted on that event.
    for _ in 0..2 {
        arena.apply(&with("/spec/definition/inline/source/kind", json!("mysq"))).await;
        arena.condition(&KindId::of::<CDCPipeline>(), NAME, "Ready", "False").await;
        arena.apply(&pipeline()).await;
        arena.ready::<PipelineObjects>(NAME).await;
    }
    eventually("removal of everything that is not declared", || async {
        let mut left = Vec::new();
        for (kind, _) in kinds() {
            let list = arena.any(&kind).list(&ListParams::default()).await.unwrap();
            left.extend(
                list.items
                    .into_iter()
                    .filter(|object| object.metadata.name.as_deref() == Some("surplus"))
                    .map(|_| kind.kind),
            );
        }
        if left.is_empty() { Ok(()) } else { Err(left) }
    })
    .await;
}
