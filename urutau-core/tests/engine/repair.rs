//! Drift, whoever made it.

use crate::arena::{Arena, eventually};
use crate::widgets::Widget;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::json;

#[tokio::test]
async fn drift_is_repaired_and_what_is_foreign_stays() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello"})).await;
    arena.until_reason("w1", "Ready").await;
    let (maps, deployments) = (arena.api::<ConfigMap>(), arena.api::<Deployment>());

    // Foreign fields are no reason to write.
    let foreign =
        json!({"metadata": {"labels": {"theirs": "x"}, "annotations": {"theirs": "y"}}, "data": {"theirs": "z"}});
    maps.patch("w1", &PatchParams::default(), &Patch::Merge(&foreign)).await.unwrap();
    deployments
        .patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"metadata": {"labels": {"theirs": "x"}}})))
        .await
        .unwrap();
    arena.silence().await;

    let text = |text: &str| {
        let (maps, text) = (maps.clone(), text.to_owned());
        async move { maps.get("w1").await.is_ok_and(|map| map.data.unwrap_or_default().get("text") == Some(&text)) }
    };
    // By an update.
    let mark = arena.mark().await;
    maps.patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"data": {"text": "theirs"}}))).await.unwrap();
    eventually("the update is repaired", || text("hello")).await;
    // By an apply under our own name, which shows in nothing but the time; twice in one second.
    for value in ["one", "two"] {
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "w1"}, "data": {"text": value}});
        maps.patch("w1", &PatchParams::apply("widget-operator").force(), &Patch::Apply(&map)).await.unwrap();
        eventually("the apply is repaired", || text("hello")).await;
    }
    // By removing a label, the owner reference, or the managed fields.
    let patches = [
        json!({"metadata": {"labels": {"widget": null}}}),
        json!({"metadata": {"ownerReferences": null}}),
        json!({"metadata": {"managedFields": [{}]}, "data": {"text": "x"}}),
    ];
    for patch in patches {
        maps.patch("w1", &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap();
        eventually("metadata is repaired", || async {
            let map = maps.get("w1").await.unwrap();
            let managed = map.managed_fields().iter().any(|entry| entry.manager.as_deref() == Some("widget-operator"));
            map.labels().get("widget").is_some() && map.owner_references().len() == 1 && managed && text("hello").await
        })
        .await;
    }
    // By deleting it.
    let uid = deployments.get("w1").await.unwrap().uid();
    deployments.delete("w1", &DeleteParams::default()).await.unwrap();
    eventually("the deployment is there again, and the owner says so", || async {
        let again = deployments.get_opt("w1").await.unwrap().and_then(|deployment| deployment.uid());
        let status = arena.api::<Widget>().get("w1").await.unwrap().status.unwrap().engine;
        again.is_some() && again != uid && status.owned.iter().any(|record| Some(&record.uid) == again.as_ref())
    })
    .await;
    arena.until_reason("w1", "Ready").await;
    let map = maps.get("w1").await.unwrap();
    assert_eq!(map.data.clone().unwrap_or_default().get("theirs").map(String::as_str), Some("z"));
    assert_eq!(map.labels().get("theirs").map(String::as_str), Some("x"));
    arena.silence().await;
    let writes = arena.writes(mark).await;
    let patches = writes.iter().filter(|write| write.starts_with("patch configmaps w1 ")).count();
    assert!((6..=8).contains(&patches), "six changes, and doubts about two: {writes:#?}");
}
