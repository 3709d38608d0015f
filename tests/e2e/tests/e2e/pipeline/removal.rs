//! What is no longer declared goes.

use super::{COORDINATOR, NAME, pipeline, running, with};
use e2e_tests::{eventually, quiet};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{ConfigMap, Service, ServiceAccount};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{DeleteParams, ListParams};
use serde_json::Value;
use std::time::Duration;
use urutau_core::KindId;
use urutau_operator::api::CDCPipeline;

#[tokio::test]
async fn a_removed_table_takes_its_template_and_its_rights_with_it() {
    let (arena, _operator) = running("table").await;
    arena.apply(&with("/spec/definition/inline/tables/1", Value::Null)).await;
    eventually("removal of the table", || async {
        let files = arena.api::<ConfigMap>().get(COORDINATOR).await.unwrap().data.unwrap_or_default();
        let rules = serde_json::to_string(&arena.api::<Role>().get(COORDINATOR).await.unwrap().rules).unwrap();
        let gone = !files.contains_key("worker-pod-template.raw.customers.yaml") && !rules.contains("raw.customers");
        if gone { Ok(()) } else { Err((files.into_keys().collect::<Vec<_>>(), rules)) }
    })
    .await;
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn without_an_image_the_stateful_set_and_the_templates_go() {
    let (arena, _operator) = running("image").await;
    arena.apply(&with("/spec/image", Value::Null)).await;
    eventually("removal of the StatefulSet", || async {
        let set = arena.api::<StatefulSet>().get_opt(COORDINATOR).await.unwrap();
        let files = arena.api::<ConfigMap>().get(COORDINATOR).await.unwrap().data.unwrap_or_default();
        if set.is_none() && files.len() == 1 { Ok(()) } else { Err((set.is_some(), files.len())) }
    })
    .await;
    arena.condition(&KindId::of::<CDCPipeline>(), NAME, "ImageKnown", "False").await;
    arena.apply(&pipeline()).await;
    arena.condition(&KindId::of::<CDCPipeline>(), NAME, "ImageKnown", "True").await;
    arena.ready::<urutau_operator::objects::PipelineObjects>(NAME).await;
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn a_deleted_pipeline_takes_everything_with_it() {
    let (arena, _operator) = running("gone").await;
    let mark = arena.plane.audit_mark().await.unwrap();
    for foreground in [true, false] {
        let params = if foreground { DeleteParams::foreground() } else { DeleteParams::background() };
        arena.api::<CDCPipeline>().delete(NAME, &params).await.unwrap();
        eventually("an empty namespace", || async {
            let left = left(&arena).await;
            if left.is_empty() { Ok(()) } else { Err(left) }
        })
        .await;
        if foreground {
            quiet("a write", Duration::from_secs(2), || arena.writes_since(mark)).await;
            arena.apply(&pipeline()).await;
            arena.ready::<urutau_operator::objects::PipelineObjects>(NAME).await;
        }
    }
}

async fn left(arena: &e2e_tests::Arena) -> Vec<String> {
    let kinds = [
        KindId::of::<CDCPipeline>(),
        KindId::of::<ServiceAccount>(),
        KindId::of::<Role>(),
        KindId::of::<RoleBinding>(),
        KindId::of::<ConfigMap>(),
        KindId::of::<Service>(),
        KindId::of::<PodDisruptionBudget>(),
        KindId::of::<StatefulSet>(),
    ];
    let mut left = Vec::new();
    for kind in kinds {
        let list = arena.any(&kind).list(&ListParams::default()).await.unwrap();
        let names = list.items.into_iter().filter_map(|object| object.metadata.name);
        left.extend(names.filter(|name| name.starts_with(NAME)).map(|name| format!("{kind} {name}")));
    }
    left
}
