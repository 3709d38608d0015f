//! What a pipeline's status says beyond what every owner's says.

use crate::api::{CDCPipeline, Phase};
use crate::definition::{Document, Table};
use serde::Serialize;
use urutau_core::{Condition, Hold, MemberState, Outcome, Report};

/// The operator's own fields of the status.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Own {
    phase: Phase,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    workers: Option<u32>,
    conditions: Vec<Condition>,
}

/// A pipeline that was given up, or is suspended, is left as it is.
pub(super) fn hold(owner: &CDCPipeline) -> Option<Hold> {
    if let Some(terminated) = owner.status.as_ref().and_then(|status| status.terminated.as_ref()) {
        let name = owner.metadata.name.as_deref().unwrap_or_default();
        let namespace = owner.metadata.namespace.as_deref().unwrap_or_default();
        let message = format!(
            "the coordinator gave the pipeline up: {}: {}. Nothing is written until this is cleared: \
             kubectl patch cdc {name} -n {namespace} --subresource=status --type=json \
             -p '[{{\"op\":\"remove\",\"path\":\"/status/terminated\"}}]'",
            terminated.reason,
            terminated.message.as_deref().unwrap_or("it does not say why")
        );
        return Some(Hold::new("Terminated", message));
    }
    owner
        .spec
        .suspend
        .then(|| Hold::new("Suspended", "spec.suspend is true: owned objects are left as they are until it is false"))
}

pub(super) fn status(owner: &CDCPipeline, report: &Report) -> Own {
    let parsed = owner.spec.definition.inline.as_ref().and_then(|inline| Document::parse(inline.as_json()).ok());
    let document = parsed.as_ref().map(|parsed| &parsed.document);
    let tables = document.map(|document| count(document.tables.len()));
    let workers = document.map(|document| document.tables.iter().map(Table::worker_count).sum());
    Own { phase: phase(owner, report), tables, workers, conditions: conditions(document, report) }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn phase(owner: &CDCPipeline, report: &Report) -> Phase {
    let ran = owner
        .status
        .as_ref()
        .and_then(|status| status.phase)
        .is_some_and(|phase| matches!(phase, Phase::Running | Phase::Degraded));
    match &report.outcome {
        Outcome::Ready if has_image(report) => Phase::Running,
        Outcome::Held(hold) if hold.reason == "Terminated" => Phase::Terminated,
        Outcome::Held(_) => Phase::Suspended,
        _ if ran => Phase::Degraded,
        Outcome::Progressing(_) => Phase::Provisioning,
        _ => Phase::Pending,
    }
}

/// Without an image there is no `StatefulSet` to speak of.
fn has_image(report: &Report) -> bool {
    report.member("coordinator.stateful_set").next().is_some()
}

fn conditions(document: Option<&Document>, report: &Report) -> Vec<Condition> {
    if matches!(report.outcome, Outcome::Invalid(_) | Outcome::Held(_)) {
        return Vec::new();
    }
    let mut conditions = vec![image_known(report), secrets_ready(report)];
    conditions.extend(autoscaling_ready(document, report));
    conditions
}

/// Whether tables that may grow do; nothing where none may.
fn autoscaling_ready(document: Option<&Document>, report: &Report) -> Option<Condition> {
    const TYPE: &str = "AutoscalingReady";
    let scalers: Vec<_> = report.member("worker.scalers").collect();
    if scalers.is_empty() {
        let may_grow = document?.tables.iter().any(|table| table.elastic_max().is_some());
        let message = "a table has workers.max, and the operator runs without --keda-prometheus-address: \
                       it keeps workers.number workers";
        return (may_grow && has_image(report)).then(|| Condition::new(TYPE, false, "NotConfigured", message));
    }
    let why = scalers.iter().find_map(|member| match &member.state {
        MemberState::Off(why) | MemberState::Failed(why) | MemberState::Waiting(why) => Some(why),
        _ => None,
    });
    Some(match why {
        Some(why) => Condition::new(TYPE, false, &why.reason, &why.message),
        None => Condition::new(TYPE, true, "Scaled", "KEDA is asked to scale every table that may grow"),
    })
}

/// Whether there is an image to run.
fn image_known(report: &Report) -> Condition {
    if has_image(report) {
        return Condition::new(
            "ImageKnown",
            true,
            "ImageFound",
            "an image is known for the coordinator and the workers",
        );
    }
    let message = "neither spec.image nor the operator's --coordinator-image names an image: \
                   nothing runs until one of them does";
    Condition::new("ImageKnown", false, "NoImage", message)
}

/// Whether every Secret that the pipeline names is there, with its keys.
fn secrets_ready(report: &Report) -> Condition {
    let waits = report.member("coordinator.stateful_set").chain(report.member("coordinator.config"));
    let missing = waits.filter_map(|member| match &member.state {
        MemberState::Waiting(why) if why.reason.starts_with("Secret") => Some(why),
        _ => None,
    });
    match missing.into_iter().next() {
        Some(why) => Condition::new("SecretsReady", false, &why.reason, &why.message),
        None => Condition::new("SecretsReady", true, "SecretsFound", "every Secret that is named is there"),
    }
}
