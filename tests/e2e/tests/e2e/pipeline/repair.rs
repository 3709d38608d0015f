//! What others do to owned objects.

use super::{COORDINATOR, running};
use e2e_tests::{MANAGER, eventually, quiet};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::Service;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::{Value, json};
use std::time::Duration;
use urutau_core::KindId;

/// Each owned object, and a field of it that another manager changes.
fn owned() -> Vec<(KindId, &'static str, &'static str, Value)> {
    use k8s_openapi::api::core::v1::{ConfigMap, ServiceAccount};
    use k8s_openapi::api::policy::v1::PodDisruptionBudget;
    use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
    let label = "/metadata/labels/app.kubernetes.io~1part-of";
    vec![
        (KindId::of::<ServiceAccount>(), COORDINATOR, label, json!("other")),
        (KindId::of::<ServiceAccount>(), "shop-mysql-worker", "/automountServiceAccountToken", json!(true)),
        (KindId::of::<Role>(), COORDINATOR, "/rules/0/verbs", json!(["get", "list"])),
        (KindId::of::<RoleBinding>(), COORDINATOR, "/subjects/0/name", json!("other")),
        (KindId::of::<ConfigMap>(), COORDINATOR, "/data/pipeline.yaml", json!("other")),
        (KindId::of::<Service>(), COORDINATOR, "/spec/ports/0/targetPort", json!("other")),
        (KindId::of::<PodDisruptionBudget>(), COORDINATOR, "/spec/maxUnavailable", json!(7)),
        (KindId::of::<StatefulSet>(), COORDINATOR, "/spec/replicas", json!(0)),
    ]
}

#[tokio::test]
async fn each_owned_object_comes_back_when_it_is_deleted() {
    let (arena, _operator) = running("deleted").await;
    for (kind, name, ..) in owned() {
        let api = arena.any(&kind);
        let before = api.get(name).await.unwrap().metadata.uid;
        api.delete(name, &DeleteParams::default()).await.unwrap();
        eventually(&format!("{kind} {name}"), || async {
            let found = api.get_opt(name).await.unwrap();
            let uid = found.and_then(|object| object.metadata.uid);
            if uid.is_some() && uid != before { Ok(()) } else { Err(uid) }
        })
        .await;
    }
    assert!(arena.refused().await.is_empty());
}

#[tokio::test]
async fn each_owned_object_gets_a_changed_field_back() {
    let (arena, _operator) = running("changed").await;
    for (kind, name, path, value) in owned() {
        let api = arena.any(&kind);
        let at = |object: &kube::api::DynamicObject| {
            serde_json::to_value(object).unwrap().pointer(path).cloned().unwrap_or_default()
        };
        let declared = at(&api.get(name).await.unwrap());
        let patch = json_patch(path, &value);
        let params = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        let changed = api.patch(name, &params, &Patch::Json::<()>(patch)).await.unwrap();
        assert_eq!(at(&changed), value, "{kind} {path}");
        eventually(&format!("{kind} {path}"), || async {
            let now = at(&api.get(name).await.unwrap());
            if now == declared { Ok(()) } else { Err(now) }
        })
        .await;
    }
    assert!(arena.refused().await.is_empty());
}

fn json_patch(path: &str, value: &Value) -> json_patch::Patch {
    serde_json::from_value(json!([{ "op": "replace", "path": path, "value": value }])).unwrap()
}

#[tokio::test]
async fn what_others_own_survives() {
    let (arena, _operator) = running("foreign").await;
    let (sets, services) = (arena.api::<StatefulSet>(), arena.api::<Service>());
    let assigned = services.get(COORDINATOR).await.unwrap().spec.unwrap().cluster_ip;
    a_later_second(&services).await;
    let mark = arena.plane.audit_mark().await.unwrap();
    let label = json!({ "metadata": { "labels": { "other.example/team": "x" } } });
    arena
        .apply_as(
            MANAGER,
            &merge(&json!({ "apiVersion": "v1", "kind": "Service", "metadata": { "name": COORDINATOR } }), &label),
        )
        .await
        .unwrap();
    let sidecar = json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet",
        "metadata": { "name": COORDINATOR, "labels": { "other.example/team": "x" } },
        "spec": { "template": { "spec": { "containers": [{ "name": "sidecar", "image": "sidecar:1" }] } } },
    });
    arena.apply_as(MANAGER, &sidecar).await.unwrap();
    quiet("a write to an object", Duration::from_secs(5), || async {
        arena.writes_since(mark).await.into_iter().filter(|request| request.subresource != "status").collect()
    })
    .await;
    let set = sets.get(COORDINATOR).await.unwrap();
    let containers = set.spec.unwrap().template.spec.unwrap().containers;
    assert_eq!(containers.len(), 2);
    let service = services.get(COORDINATOR).await.unwrap();
    assert_eq!(service.metadata.labels.unwrap()["other.example/team"], "x");
    assert_eq!(service.spec.unwrap().cluster_ip, assigned);
}

/// Entries of managed fields carry whole seconds: a change by others within that of our last apply can't be told from one
/// under our own name, and a kind without a generation gets one more apply then.
async fn a_later_second(services: &kube::Api<Service>) {
    eventually("later second", || async {
        let entries = services.get(COORDINATOR).await.unwrap().metadata.managed_fields.unwrap();
        let last = entries.into_iter().filter_map(|entry| entry.time).map(|time| time.0.as_second()).max().unwrap();
        let now = k8s_openapi::jiff::Timestamp::now().as_second();
        if now > last { Ok(()) } else { Err((now, last)) }
    })
    .await;
}

fn merge(base: &Value, more: &Value) -> Value {
    let mut base = base.clone();
    for (key, value) in more.as_object().unwrap() {
        match (base.get_mut(key), value) {
            (Some(Value::Object(_)), Value::Object(_)) => base[key] = merge(&base[key], value),
            _ => base[key] = value.clone(),
        }
    }
    base
}
