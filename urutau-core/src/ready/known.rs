//! The readiness of the kinds that everybody knows.

use super::{Readiness, View};
use crate::kind::KindId;

/// Whether an object of this kind can be relied on. What has no notion of readiness is ready once it is there; a
/// custom resource is ready when its condition `Ready` says so.
pub(super) fn readiness(kind: &KindId, view: &View) -> Readiness {
    if view.metadata.deletion_timestamp.is_some() {
        return waits("is being deleted");
    }
    let decide = match (kind.group, kind.kind) {
        ("apps", "Deployment") => deployment,
        ("apps", "StatefulSet") => stateful_set,
        ("apps", "DaemonSet") => daemon_set,
        ("apps", "ReplicaSet") | ("", "ReplicationController") => replica_set,
        ("batch", "Job") => job,
        ("", "Pod") => pod,
        ("", "PersistentVolumeClaim") => claim,
        ("", "PersistentVolume") => volume,
        ("", "Namespace") => namespace,
        ("", "Service") => service,
        ("policy", "PodDisruptionBudget") => disruption_budget,
        ("apiextensions.k8s.io", "CustomResourceDefinition") => custom_resource_definition,
        ("apiregistration.k8s.io", "APIService") => api_service,
        (group, _) if group.contains('.') && !group.ends_with(".k8s.io") => custom_resource,
        _ => |_: &View| Readiness::Ready,
    };
    decide(view)
}

fn waits(why: impl Into<String>) -> Readiness {
    Readiness::NotReady(why.into())
}

/// Whether the status speaks of an older desired state than the newest one.
fn is_behind(view: &View) -> bool {
    view.status.observed_generation.unwrap_or_default() < view.metadata.generation.unwrap_or_default()
}

const BEHIND: &str = "its newest change has not been seen by its controller";

fn replicas(view: &View) -> i64 {
    view.spec.replicas.unwrap_or(1)
}

fn deployment(view: &View) -> Readiness {
    if is_behind(view) {
        return waits(BEHIND);
    }
    if let Some(stuck) = view.condition("Progressing")
        && stuck.status == "False"
        && stuck.reason.as_deref() == Some("ProgressDeadlineExceeded")
    {
        let message = stuck.message.as_deref().unwrap_or("its rollout makes no progress");
        return Readiness::Failed(format!("ProgressDeadlineExceeded: {message}"));
    }
    if let Some(failure) = view.condition("ReplicaFailure")
        && failure.status == "True"
    {
        return waits(failure.message.clone().unwrap_or_else(|| "its Pods can't be made".to_owned()));
    }
    let (want, status) = (replicas(view), &view.status);
    let updated = status.updated_replicas.unwrap_or_default();
    if updated < want {
        if view.spec.paused == Some(true) {
            return waits("its rollout is paused");
        }
        return waits(format!("{updated} of {want} replicas are updated"));
    }
    let old = status.replicas.unwrap_or_default() - updated;
    if old > 0 {
        return waits(format!("{old} old replicas are still there"));
    }
    let available = status.available_replicas.unwrap_or_default();
    if available < want { waits(format!("{available} of {want} replicas are available")) } else { Readiness::Ready }
}

fn stateful_set(view: &View) -> Readiness {
    if is_behind(view) {
        return waits(BEHIND);
    }
    let (want, status) = (replicas(view), &view.status);
    let ready = status.ready_replicas.unwrap_or_default();
    if ready < want {
        return waits(format!("{ready} of {want} replicas are ready"));
    }
    if view.spec.update_strategy.type_.as_deref() == Some("OnDelete") {
        return Readiness::Ready;
    }
    let updated = status.updated_replicas.unwrap_or_default();
    let partition = view.spec.update_strategy.rolling_update.partition.unwrap_or_default();
    let update = (want - partition).max(0);
    if updated < update {
        return waits(format!("{updated} of {update} replicas are updated"));
    }
    if partition == 0 && want > 0 && status.current_revision != status.update_revision {
        return waits("its rollout is not complete");
    }
    let left = status.replicas.unwrap_or_default() - want;
    if left > 0 { waits(format!("{left} replicas too many are still there")) } else { Readiness::Ready }
}

fn daemon_set(view: &View) -> Readiness {
    if is_behind(view) {
        return waits(BEHIND);
    }
    let status = &view.status;
    let want = status.desired_number_scheduled.unwrap_or_default();
    let updated = status.updated_number_scheduled.unwrap_or_default();
    let on_delete = view.spec.update_strategy.type_.as_deref() == Some("OnDelete");
    if updated < want && !on_delete {
        return waits(format!("{updated} of {want} nodes have the newest Pod"));
    }
    let ready = status.number_ready.unwrap_or_default();
    if ready < want { waits(format!("{ready} of {want} nodes have a ready Pod")) } else { Readiness::Ready }
}

fn replica_set(view: &View) -> Readiness {
    if is_behind(view) {
        return waits(BEHIND);
    }
    let want = replicas(view);
    let ready = view.status.ready_replicas.unwrap_or_default();
    if ready < want { waits(format!("{ready} of {want} replicas are ready")) } else { Readiness::Ready }
}

fn job(view: &View) -> Readiness {
    if view.is("Complete") {
        return Readiness::Ready;
    }
    if let Some(failed) = view.condition("Failed")
        && failed.status == "True"
    {
        let reason = failed.reason.as_deref().unwrap_or("Failed");
        return Readiness::Failed(format!("{reason}: {}", failed.message.as_deref().unwrap_or("the Job failed")));
    }
    if view.spec.suspend == Some(true) {
        return waits("it is suspended");
    }
    let (done, want) = (view.status.succeeded.unwrap_or_default(), view.spec.completions.unwrap_or(1));
    waits(format!("{done} of {want} runs are complete"))
}

fn pod(view: &View) -> Readiness {
    match view.status.phase.as_deref() {
        Some("Succeeded") => Readiness::Ready,
        Some("Failed") => Readiness::Failed("the Pod failed".to_owned()),
        _ if view.is("Ready") => Readiness::Ready,
        _ => {
            let why = ["Ready", "ContainersReady", "PodScheduled"].into_iter().find_map(|type_| {
                view.condition(type_).filter(|condition| condition.status != "True")?.message.clone()
            });
            waits(why.unwrap_or_else(|| "it is not ready".to_owned()))
        }
    }
}

fn claim(view: &View) -> Readiness {
    match view.status.phase.as_deref() {
        Some("Bound") => Readiness::Ready,
        Some("Lost") => Readiness::Failed("its volume is lost".to_owned()),
        _ => waits("it is not bound to a volume"),
    }
}

fn volume(view: &View) -> Readiness {
    match view.status.phase.as_deref() {
        Some("Bound" | "Available") => Readiness::Ready,
        Some("Failed") => Readiness::Failed("the volume failed".to_owned()),
        _ => waits("it is not available"),
    }
}

fn namespace(view: &View) -> Readiness {
    match view.status.phase.as_deref() {
        Some("Terminating") => waits("it is being deleted"),
        _ => Readiness::Ready,
    }
}

fn service(view: &View) -> Readiness {
    let balanced = view.spec.type_.as_deref() == Some("LoadBalancer");
    if balanced && view.status.load_balancer.ingress.is_empty() {
        waits("its load balancer has no address")
    } else {
        Readiness::Ready
    }
}

fn disruption_budget(view: &View) -> Readiness {
    if is_behind(view) {
        return waits(BEHIND);
    }
    let status = &view.status;
    let (healthy, want) = (status.current_healthy.unwrap_or_default(), status.desired_healthy.unwrap_or_default());
    if healthy < want { waits(format!("{healthy} of {want} Pods are healthy")) } else { Readiness::Ready }
}

fn custom_resource_definition(view: &View) -> Readiness {
    if let Some(refused) = view.condition("NamesAccepted")
        && refused.status == "False"
    {
        return Readiness::Failed(refused.message.clone().unwrap_or_else(|| "its names are taken".to_owned()));
    }
    if view.is("Established") { Readiness::Ready } else { waits("it is not established") }
}

fn api_service(view: &View) -> Readiness {
    match view.condition("Available") {
        Some(available) if available.status == "True" => Readiness::Ready,
        Some(other) => waits(other.message.clone().unwrap_or_else(|| "it is not available".to_owned())),
        None => waits("it is not available"),
    }
}

/// As most custom resources have it: `Ready`, and `Stalled` when nothing will come of it.
fn custom_resource(view: &View) -> Readiness {
    if view.status.observed_generation.is_some() && is_behind(view) {
        return waits(BEHIND);
    }
    if let Some(stalled) = view.condition("Stalled")
        && stalled.status == "True"
    {
        return Readiness::Failed(stalled.message.clone().unwrap_or_else(|| "it is stalled".to_owned()));
    }
    let Some(ready) = view.condition("Ready") else { return waits("it has no condition `Ready`") };
    let generation = view.metadata.generation.unwrap_or_default();
    if ready.observed_generation.is_some_and(|observed| observed < generation) {
        return waits(BEHIND);
    }
    if ready.status == "True" {
        Readiness::Ready
    } else {
        waits(ready.message.clone().filter(|text| !text.is_empty()).unwrap_or_else(|| "it is not ready".to_owned()))
    }
}

#[cfg(test)]
mod tests;
