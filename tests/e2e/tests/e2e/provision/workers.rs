//! From templates to workers, and again when something has changed.

use super::{Container, POD, WORKERS, deployments, pod, ready, running, versions};
use crate::pipeline::{NAME, with};
use e2e_tests::eventually;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod};
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};
use urutau_operator::naming;

/// What differs between a template and what was made of it, as JSON patches of the template.
fn differences(template: &str, made: &Deployment) -> Vec<Value> {
    let template: Value = serde_saphyr::from_str(template).unwrap();
    let made = serde_json::to_value(made).unwrap()["spec"]["template"].clone();
    let patch = json_patch::diff(&template, &made);
    patch.iter().map(|operation| serde_json::to_value(operation).unwrap()).collect()
}

/// What the API server adds to any Pod template.
fn is_default(operation: &Value) -> bool {
    let path = operation["path"].as_str().unwrap();
    operation["op"] == "add"
        && [
            "/spec/dnsPolicy",
            "/spec/restartPolicy",
            "/spec/schedulerName",
            "/spec/terminationGracePeriodSeconds",
            "/spec/serviceAccount",
            "/spec/containers/0/imagePullPolicy",
            "/spec/containers/0/terminationMessagePath",
            "/spec/containers/0/terminationMessagePolicy",
        ]
        .contains(&path)
}

#[tokio::test]
async fn every_worker_is_its_template_with_a_name_and_an_owner() {
    let (arena, _operator) = running("workers").await;
    let uid = pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    assert_eq!(container.provision().await, "4 created, 0 updated, 0 unchanged\n");
    let made = deployments(&arena).await;
    assert_eq!(made.keys().map(String::as_str).collect::<Vec<_>>(), WORKERS);
    let files = arena.api::<ConfigMap>().get(crate::pipeline::COORDINATOR).await.unwrap().data.unwrap();
    for (name, deployment) in &made {
        let metadata = serde_json::to_value(&deployment.metadata).unwrap();
        let owner = json!([{ "apiVersion": "v1", "kind": "Pod", "name": POD, "uid": uid }]);
        assert_eq!(metadata["ownerReferences"], owner, "{name}");
        let spec = deployment.spec.as_ref().unwrap();
        assert_eq!(spec.replicas, Some(1));
        assert_eq!(serde_json::to_value(&spec.strategy).unwrap(), json!({ "type": "Recreate" }));
        let target = if name.contains("orders") { "raw.orders" } else { "raw.customers" };
        let mut others: Vec<Value> = differences(&files[&naming::template_key(target)], deployment)
            .into_iter()
            .filter(|operation| !is_default(operation))
            .collect();
        others.sort_by_key(|operation| operation["path"].to_string());
        let args = spec.template.spec.as_ref().unwrap().containers[0].args.as_ref().unwrap().len();
        assert_eq!(
            others,
            [
                json!({ "op": "add", "path": "/metadata/labels/urutau.io~1worker", "value": name }),
                json!({ "op": "add", "path": format!("/spec/containers/0/args/{}", args - 2), "value": "--name" }),
                json!({ "op": "add", "path": format!("/spec/containers/0/args/{}", args - 1), "value": name }),
            ]
        );
    }
    let resources = &made["shop-mysql-raw.orders-0"].spec.as_ref().unwrap().template.spec.as_ref().unwrap().containers[0];
    assert_eq!(
        serde_json::to_value(&resources.resources).unwrap(),
        json!({ "requests": { "cpu": "2", "memory": "4Gi" }, "limits": { "cpu": "2500m", "memory": "4608Mi" } })
    );
    ready(&arena).await;

    // The Pod goes: garbage collection takes what it owns, and the next one makes them anew.
    arena.api::<Pod>().delete(POD, &DeleteParams::default()).await.unwrap();
    pod(&arena, Some(&uid)).await;
    assert_eq!(container.provision().await, "4 created, 0 updated, 0 unchanged\n");
    let anew = deployments(&arena).await;
    assert_eq!(anew.keys().map(String::as_str).collect::<Vec<_>>(), WORKERS);
    for (name, deployment) in &anew {
        assert_ne!(deployment.metadata.uid, made[name].metadata.uid, "{name}");
    }
    ready(&arena).await;
}

#[tokio::test]
async fn a_rerun_changes_nothing_and_leaves_what_others_have_added() {
    let (arena, _operator) = running("rerun").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    ready(&arena).await;
    let before = versions(&arena).await;
    assert_eq!(container.provision().await, "0 created, 0 updated, 4 unchanged\n");
    assert_eq!(versions(&arena).await, before);
    // As `kubectl rollout restart` does it.
    let restart = json!({ "spec": { "template": { "metadata": { "annotations": {
        "kubectl.kubernetes.io/restartedAt": "2026-11-30T00:00:00Z",
    } } } } });
    let workers = arena.api::<Deployment>();
    workers.patch(WORKERS[0], &PatchParams::default(), &Patch::Strategic(restart)).await.unwrap();
    ready(&arena).await;
    let restarted = versions(&arena).await;
    assert_eq!(container.provision().await, "0 created, 0 updated, 4 unchanged\n");
    assert_eq!(versions(&arena).await, restarted);
}

#[tokio::test]
async fn a_changed_template_is_taken_over_in_place_by_the_same_pod() {
    let (arena, _operator) = running("in-place").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    let before = deployments(&arena).await;
    let file = container.at("config").join(naming::template_key("raw.orders"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("urutau:v1.2.3"), "{text}");
    std::fs::write(&file, text.replace("urutau:v1.2.3", "urutau:v1.2.4")).unwrap();
    assert_eq!(container.provision().await, "0 created, 3 updated, 1 unchanged\n");
    for (name, deployment) in deployments(&arena).await {
        assert_eq!(deployment.metadata.uid, before[&name].metadata.uid);
        let image = deployment.spec.unwrap().template.spec.unwrap().containers[0].image.clone().unwrap();
        assert_eq!(image.ends_with("v1.2.4"), name.contains("orders"), "{name}: {image}");
    }
}

#[tokio::test]
async fn a_pipeline_that_was_given_up_gets_no_workers() {
    let (arena, operator) = running("given-up").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    operator.stop().await;
    let status = json!({ "status": { "terminated": { "reason": "SchemaLost", "message": "the table is gone" } } });
    let pipelines = arena.api::<urutau_operator::api::CDCPipeline>();
    pipelines.patch_status(NAME, &PatchParams::default(), &Patch::Merge(status)).await.unwrap();
    let text = "the pipeline was given up, nothing is provisioned: SchemaLost: the table is gone\n";
    assert_eq!(container.provision().await, text);
    assert!(deployments(&arena).await.is_empty());
}

#[tokio::test]
async fn an_edited_pipeline_ends_with_exactly_the_named_workers() {
    let (arena, _operator) = running("fewer").await;
    let first = pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    arena.apply(&with("/spec/definition/inline/tables/1", Value::Null)).await;
    pod(&arena, Some(&first)).await;
    container.mount().await;
    container.provision().await;
    eventually("end of what is not named any more", || async {
        let names: Vec<String> = deployments(&arena).await.into_keys().collect();
        if names == WORKERS[1..] { Ok(()) } else { Err(names) }
    })
    .await;
}
