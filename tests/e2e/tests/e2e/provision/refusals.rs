//! What is told instead of done.

use super::{Container, POD, WORKERS, deployments, pod, running};
use crate::pipeline::COORDINATOR;
use e2e_tests::Arena;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use kube::api::DeleteParams;
use serde_json::json;
use urutau_core::control_plane::service_account_user;

#[tokio::test]
async fn without_a_template_nothing_is_asked() {
    let arena = Arena::new("no-template").await;
    let container = Container::new(&arena).await;
    // Not even what else is wrong matters.
    std::fs::write(container.at("config/pipeline.yaml"), "a: b").unwrap();
    std::fs::remove_file(container.at("account/token")).unwrap();
    let before = arena.plane.audit_mark().await.unwrap();
    assert_eq!(container.provision().await, "no templates: nothing to provision\n");
    let user = service_account_user(&arena.namespace, COORDINATOR);
    assert!(arena.plane.audited_since(before, &user).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_workload_of_somebody_else_is_left_as_it_is_and_named() {
    let (arena, _operator) = running("foreign").await;
    pod(&arena, None).await;
    let labels = json!({ "a": "b" });
    let foreign = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": WORKERS[2] },
        "spec": { "selector": { "matchLabels": labels }, "template": {
            "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "c", "image": "i" }] },
        } },
    });
    let version = arena.apply(&foreign).await.metadata.generation;
    let ended = Container::mounted(&arena).await.run().await;
    assert!(!ended.ok);
    let text = "1 of the workers could not be made\n  table raw.orders: Deployment shop-mysql-raw.orders-1: there is one \
                of this name that belongs to no coordinator's Pod";
    assert!(ended.err.contains(text), "{}", ended.err);
    assert_eq!(arena.api::<Deployment>().get(WORKERS[2]).await.unwrap().metadata.generation, version);
    assert_eq!(deployments(&arena).await.len(), 4, "the others are there");
}

/// It is not waited for, as that of an earlier Pod of this coordinator is.
#[tokio::test]
async fn a_workload_of_another_coordinator_is_refused_at_once() {
    let (arena, _operator) = running("other").await;
    pod(&arena, None).await;
    let other = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "other-coordinator-0" },
        "spec": { "containers": [{ "name": "c", "image": "i" }] },
    });
    let uid = arena.apply(&other).await.metadata.uid;
    let owner = json!({ "apiVersion": "v1", "kind": "Pod", "name": "other-coordinator-0", "uid": uid });
    let labels = json!({ "a": "b" });
    let foreign = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": WORKERS[2], "ownerReferences": [owner] },
        "spec": { "selector": { "matchLabels": labels }, "template": {
            "metadata": { "labels": labels }, "spec": { "containers": [{ "name": "c", "image": "i" }] },
        } },
    });
    arena.apply(&foreign).await;
    let container = Container::mounted(&arena).await;
    let ended = tokio::time::timeout(std::time::Duration::from_secs(60), container.run()).await.unwrap();
    let text = "Deployment shop-mysql-raw.orders-1: there is one of this name that belongs to v1 Pod other-coordinator-0, \
                and it is left as it is";
    assert!(!ended.ok && ended.err.contains(text), "{ended:?}");
}

#[tokio::test]
async fn what_is_wrong_with_the_surroundings_is_told() {
    let (arena, operator) = running("surroundings").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    let run = async |change: &dyn Fn(&mut tokio::process::Command)| {
        let mut command = container.command();
        change(&mut command);
        let ended = super::Ended::of(command.output().await.unwrap());
        assert!(!ended.ok, "{ended:?}");
        ended.err
    };
    let err = run(&|command| _ = command.env_remove("KUBERNETES_SERVICE_HOST")).await;
    assert!(err.contains("this is no Pod of a cluster: KUBERNETES_SERVICE_HOST and"), "{err}");
    let err = run(&|command| *command = container.command_in("shop-mysql-0")).await;
    assert!(err.contains("shop-mysql-0 is not the Pod of a coordinator"), "{err}");
    std::fs::rename(container.at("account/token"), container.at("account/other")).unwrap();
    let err = run(&|_| {}).await;
    assert!(err.contains("account/token: can't be read") && err.contains("--service-account-dir"), "{err}");
    std::fs::rename(container.at("account/other"), container.at("account/token")).unwrap();
    operator.stop().await;
    let sets = arena.any(&urutau_core::KindId::of::<k8s_openapi::api::apps::v1::StatefulSet>());
    sets.delete(COORDINATOR, &DeleteParams::default()).await.unwrap();
    e2e_tests::eventually("end of the Pod", || async {
        arena.api::<Pod>().get_opt(POD).await.unwrap().map_or(Ok(()), |pod| Err(pod.metadata.deletion_timestamp))
    })
    .await;
    let err = run(&|_| {}).await;
    assert!(err.contains("Pod shop-mysql-coordinator-0 is not in the namespace"), "{err}");
}

#[tokio::test]
async fn a_sink_with_one_writer_and_a_changed_number_of_kept_ranges_are_refused_before_anything_is_made() {
    let (arena, _operator) = running("before").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    let bounds = container.at("bounds.yaml");
    std::fs::write(&bounds, "raw.orders: { type: integer, min: 1, max: 3000 }\n").unwrap();
    let mut command = container.command();
    let ended = super::Ended::of(command.arg("--bounds").arg(&bounds).output().await.unwrap());
    assert!(ended.ok, "{ended:?}");
    assert!(std::fs::read_to_string(container.at("state/key-ranges.json")).unwrap().contains("raw.orders"));
    let document = container.at("config/pipeline.yaml");
    let text = std::fs::read_to_string(&document).unwrap();
    let mark = arena.plane.audit_mark().await.unwrap();
    for (from, to, told) in [
        ("number: 3", "number: 2", "raw.orders: 2 workers, but its keys were split into 3 ranges"),
        ("namespace: raw", "namespace: raw\n  type: couchbase", "takes only one writer"),
    ] {
        assert!(text.contains(from), "{text}");
        std::fs::write(&document, text.replacen(from, to, 1)).unwrap();
        let ended = container.run().await;
        assert!(!ended.ok && ended.err.contains(told), "{}", ended.err);
    }
    let user = service_account_user(&arena.namespace, COORDINATOR);
    assert!(arena.plane.audited_since(mark, &user).await.unwrap().is_empty());
}
