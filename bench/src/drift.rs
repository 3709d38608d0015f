//! Changes that somebody else makes to owned objects.

use crate::Result;
use crate::arena::{Arena, KINDS, name};
use futures::StreamExt;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

/// One changed object of one owner.
pub struct Drift {
    kind: usize,
    object: String,
}

/// Where a drift is seen, for each of [`KINDS`].
const SEEN: [&str; KINDS.len()] = [
    "/metadata/labels/app.kubernetes.io~1name",
    "/rules/0/verbs/0",
    "/metadata/labels/app.kubernetes.io~1name",
    "/data/pipeline.yaml",
    "/spec/selector/app.kubernetes.io~1instance",
    "/spec/template/spec/terminationGracePeriodSeconds",
];

/// Changes an object of each of so many owners, one kind after the other.
pub async fn make(arena: &Arena, count: usize) -> Result<Vec<Drift>> {
    let drifts = |number: usize| Drift {
        kind: number % KINDS.len(),
        object: format!("{}-coordinator", name(number * arena.owners / count)),
    };
    let made = futures::stream::iter((0..count).map(drifts)).map(|drift| async move {
        let params = PatchParams { field_manager: Some("somebody-else".to_owned()), ..PatchParams::default() };
        let api = arena.objects(KINDS[drift.kind]);
        api.patch(&drift.object, &params, &Patch::Merge(&change(drift.kind))).await.map(|_| drift)
    });
    let made: Vec<_> = made.buffer_unordered(16).collect().await;
    Ok(made.into_iter().collect::<std::result::Result<_, _>>()?)
}

/// What is changed.
fn change(kind: usize) -> Value {
    match KINDS[kind].2 {
        "Role" => json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["drifted"]}]}),
        "ConfigMap" => json!({"data": {"pipeline.yaml": "drifted"}}),
        "Service" => json!({"spec": {"selector": {"app.kubernetes.io/instance": "drifted"}}}),
        "StatefulSet" => json!({"spec": {"template": {"spec": {"terminationGracePeriodSeconds": 61}}}}),
        _ => json!({"metadata": {"labels": {"app.kubernetes.io/name": "drifted"}}}),
    }
}

/// How many are still there.
pub async fn left(arena: &Arena, drifts: &[Drift]) -> Result<usize> {
    let mut left = 0;
    for drift in drifts {
        let object = serde_json::to_value(arena.objects(KINDS[drift.kind]).get(&drift.object).await?)?;
        let seen = object.pointer(SEEN[drift.kind]);
        left += usize::from(seen.is_some_and(|value| value == "drifted" || value == 61));
    }
    Ok(left)
}
