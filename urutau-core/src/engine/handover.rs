//! Keeping `spec.replicas` as it is while it changes hands.
//!
//! A field that its only manager no longer applies goes, and the API server's default comes: 1, whatever runs. So
//! before we stop declaring it, a manager of its own applies the value that is there, and nothing else. Whoever scales
//! takes the field from that by setting another value.

use super::cluster::{Cluster, Place, within};
use super::fault::{Fault, describe};
use super::key::Uid;
use super::seen::{Facts, HANDOVER, Replicas};
use crate::kind::KindId;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;
use serde_json::{Value, json};

/// The manager that keeps the value.
fn manager(cluster: &Cluster) -> String {
    format!("{}{HANDOVER}", cluster.manager)
}

/// Keeps the live value if nobody but us claims it. It is asked for, because a stale one would be written; when it
/// changes meanwhile that is a race, to be tried again.
pub(super) async fn keep(cluster: &Cluster, at: Place<'_>) -> Result<(), Fault> {
    let Some(object) = cluster.whole(at).await? else {
        return Err(Fault::Raced { object: describe(at.kind, at.name) });
    };
    let claimed = claimed(object.metadata.managed_fields.as_deref().unwrap_or_default(), &cluster.manager);
    let only_ours = claimed == Replicas { ours: true, ..Replicas::default() };
    let Some(live) = object.data.pointer("/spec/replicas").filter(|_| only_ours) else { return Ok(()) };
    if !scales(cluster, at).await? {
        return Ok(());
    }
    let mut body =
        about(at, json!({ "uid": object.metadata.uid, "resourceVersion": object.metadata.resource_version }));
    body["spec"] = json!({ "replicas": live });
    cluster.apply_as::<()>(&manager(cluster), at, &body, false).await?;
    tracing::info!(kind = at.kind.kind, name = at.name, replicas = %live, "keeps the replicas until somebody scales");
    Ok(())
}

/// Sets the value that is kept to one that is declared again, for a set that yields to other managers: this one is no
/// other.
pub(super) async fn agree(cluster: &Cluster, at: Place<'_>, uid: &Uid, declared: &Value) -> Result<(), Fault> {
    let mut body = about(at, json!({ "uid": uid.to_string() }));
    body["spec"] = json!({ "replicas": declared });
    cluster.apply_as::<()>(&manager(cluster), at, &body, false).await.map(drop)
}

/// Lets go of the value that is kept, in this very version of the object: there somebody else claims it too, so it stays.
pub(super) async fn let_go(cluster: &Cluster, at: Place<'_>, uid: &Uid, version: u64) -> Result<Facts, Fault> {
    let body = about(at, json!({ "uid": uid.to_string(), "resourceVersion": version.to_string() }));
    cluster.apply_as::<()>(&manager(cluster), at, &body, false).await.map(|seen| seen.facts)
}

fn about(at: Place<'_>, guards: Value) -> Value {
    let mut metadata = guards;
    metadata["name"] = json!(at.name);
    if !at.namespace.is_empty() {
        metadata["namespace"] = json!(at.namespace);
    }
    json!({ "apiVersion": at.kind.api_version(), "kind": at.kind.kind, "metadata": metadata })
}

/// Who claims `spec.replicas`.
fn claimed(managed: &[ManagedFieldsEntry], ours: &str) -> Replicas {
    let mut claimed = Replicas::default();
    let claims = |entry: &&ManagedFieldsEntry| {
        entry.fields_v1.as_ref().is_some_and(|fields| fields.0.pointer("/f:spec/f:replicas").is_some())
    };
    for entry in managed.iter().filter(claims) {
        let whole = entry.subresource.as_deref().unwrap_or_default().is_empty();
        let applies = whole && entry.operation.as_deref() == Some("Apply");
        match entry.manager.as_deref().and_then(|manager| manager.strip_prefix(ours)) {
            Some("") if applies => claimed.ours = true,
            Some(HANDOVER) if applies => claimed.handed_over = true,
            _ => claimed.others = true,
        }
    }
    claimed
}

/// Whether a kind may be one that can be scaled: of Kubernetes' own it is known.
pub(super) fn may_scale(kind: &KindId) -> bool {
    is_custom(kind) || matches!(kind.kind, "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController")
}

fn is_custom(kind: &KindId) -> bool {
    kind.group.contains('.') && !kind.group.ends_with(".k8s.io")
}

/// Whether a kind can be scaled: where it is not known, the API server says it to everyone.
async fn scales(cluster: &Cluster, at: Place<'_>) -> Result<bool, Fault> {
    let kind = at.kind;
    if !is_custom(kind) {
        return Ok(may_scale(kind));
    }
    let served = within(cluster.client.list_api_group_resources(&kind.api_version())).await;
    let served = served.map_err(|error| Fault::of(&error, "look for the scale of", kind, at.name))?;
    let scale = format!("{}/scale", kind.plural);
    Ok(served.resources.iter().any(|resource| resource.name == scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(manager: &str, operation: &str, subresource: &str) -> ManagedFieldsEntry {
        serde_json::from_value(json!({
            "manager": manager, "operation": operation, "subresource": subresource,
            "fieldsType": "FieldsV1", "fieldsV1": { "f:spec": { "f:replicas": {} } },
        }))
        .unwrap()
    }

    #[test]
    fn k_02_whose_the_replicas_are() {
        let of = |entries: &[ManagedFieldsEntry]| {
            let Replicas { ours, handed_over, others } = claimed(entries, "op");
            (ours, handed_over, others)
        };
        assert_eq!(of(&[entry("op", "Apply", "")]), (true, false, false));
        assert_eq!(of(&[entry("op/handover", "Apply", ""), entry("op", "Apply", "")]), (true, true, false));
        for other in [
            entry("hpa", "Update", "scale"),
            entry("op", "Update", ""),
            entry("op2", "Apply", ""),
            entry("op", "Apply", "scale"),
        ] {
            assert_eq!(of(&[other]), (false, false, true));
        }
        let elsewhere = json!({ "manager": "op", "operation": "Apply", "fieldsV1": { "f:spec": { "f:paused": {} } } });
        assert_eq!(of(&[serde_json::from_value(elsewhere).unwrap()]), (false, false, false));
    }
}
