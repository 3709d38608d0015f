//! Everything that can happen to what an owner owns, in short: made, collided with, repaired, removed, complained of.

use e2e_tests::{Arena, eventually};
use kube::api::{DeleteParams, ListParams};
use serde_json::{Value, json};
use urutau_core::{KindId, OwnedSet};

/// The name of an object that the owner owns and does not declare.
const SURPLUS: &str = "surplus";

/// Who takes part.
pub(crate) struct Play {
    /// An owner that goes well.
    pub(crate) good: Value,
    /// The same with a mistake that is an event.
    pub(crate) bad: Value,
    /// Another owner, whose objects are somebody else's when it comes.
    pub(crate) blocked: Value,
    /// The name that its object of a kind is to have.
    pub(crate) wanted: fn(&KindId) -> &'static str,
    /// The kinds that come after the others, by their plurals.
    pub(crate) late: &'static [&'static str],
}

/// The kinds that a set owns.
fn kinds<S: OwnedSet>() -> Vec<KindId> {
    S::NODE.kinds().into_iter().map(|watched| watched.kind).collect()
}

/// An object of this kind and name that somebody else could have.
fn object(kind: &KindId, name: &str) -> Value {
    let selector = json!({ "matchLabels": { "a": "b" } });
    let template =
        json!({ "metadata": { "labels": { "a": "b" } }, "spec": { "containers": [{ "name": "c", "image": "i" }] } });
    let (at, what) = match kind.kind {
        "RoleBinding" => ("roleRef", json!({ "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "x" })),
        "Role" => ("rules", json!([])),
        "ScaledObject" => ("spec", json!({ "scaleTargetRef": { "name": "x" }, "triggers": [] })),
        "Service" => ("spec", json!({ "ports": [{ "port": 1 }] })),
        "PodDisruptionBudget" => ("spec", json!({ "selector": selector, "maxUnavailable": 1 })),
        "Deployment" => ("spec", json!({ "selector": selector, "template": template, "replicas": 0 })),
        "StatefulSet" => {
            ("spec", json!({ "selector": selector, "template": template, "replicas": 0, "serviceName": "x" }))
        }
        "ConfigMap" | "ServiceAccount" => ("metadata", json!({})),
        other => panic!("{other} is new here"),
    };
    let mut object = json!({ "apiVersion": kind.api_version(), "kind": kind.kind, at: what });
    object["metadata"] = json!({ "name": name });
    object
}

impl Play {
    /// What has to be there before the operator: objects of somebody else where an owner wants its own.
    pub(crate) async fn prepare<S: OwnedSet>(&self, arena: &Arena) {
        for kind in kinds::<S>() {
            arena.apply(&object(&kind, (self.wanted)(&kind))).await;
        }
    }

    /// Runs through it; the operator has been started.
    pub(crate) async fn run<S: OwnedSet>(&self, arena: &Arena) {
        let owners = KindId::of::<S::Owner>();
        arena.apply(&self.good).await;
        arena.ready::<S>(name(&self.good)).await;
        arena.apply(&self.blocked).await;
        arena.condition(&owners, name(&self.blocked), "Ready", "False").await;
        // What is in the way goes once it was looked at; what comes later is met only then.
        let (late, early): (Vec<_>, Vec<_>) =
            kinds::<S>().into_iter().partition(|kind| self.late.contains(&kind.plural));
        looked_at(arena, &early).await;
        for kind in early {
            arena.any(&kind).delete((self.wanted)(&kind), &DeleteParams::default()).await.unwrap();
        }
        for kind in late {
            looked_at(arena, &[kind]).await;
            arena.any(&kind).delete((self.wanted)(&kind), &DeleteParams::default()).await.unwrap();
        }
        arena.ready::<S>(name(&self.blocked)).await;
        self.leave_surplus::<S>(arena).await;
        // What can't be is an event; the same again is counted on that event.
        for _ in 0..2 {
            arena.apply(&self.bad).await;
            arena.condition(&owners, name(&self.good), "Ready", "False").await;
            arena.apply(&self.good).await;
            arena.ready::<S>(name(&self.good)).await;
        }
        no_surplus::<S>(arena).await;
    }

    /// Leaves an object of each kind that the owner owns and does not declare, for the operator to remove.
    async fn leave_surplus<S: OwnedSet>(&self, arena: &Arena) {
        let owner = arena.any(&KindId::of::<S::Owner>()).get(name(&self.good)).await.unwrap();
        let reference = json!([{
            "apiVersion": self.good["apiVersion"], "kind": self.good["kind"], "name": name(&self.good),
            "uid": owner.metadata.uid.unwrap(), "controller": true,
        }]);
        for kind in kinds::<S>() {
            let mut object = object(&kind, SURPLUS);
            object["metadata"]["ownerReferences"] = reference.clone();
            arena.apply(&object).await;
        }
    }
}

fn name(owner: &Value) -> &str {
    owner["metadata"]["name"].as_str().unwrap()
}

/// Waits until the operator has asked whose an object of each of these kinds is.
async fn looked_at(arena: &Arena, kinds: &[KindId]) {
    eventually("look at each object in the way", || async {
        let requests = arena.requests().await;
        let seen = |kind: &KindId| requests.iter().any(|one| one.verb == "get" && one.resource == kind.plural);
        let unseen: Vec<_> = kinds.iter().filter(|kind| !seen(kind)).copied().collect();
        if unseen.is_empty() { Ok(()) } else { Err(unseen) }
    })
    .await;
}

async fn no_surplus<S: OwnedSet>(arena: &Arena) {
    eventually("removal of everything that is not declared", || async {
        let mut left = Vec::new();
        for kind in kinds::<S>() {
            let list = arena.any(&kind).list(&ListParams::default()).await.unwrap().items;
            let is_left = list.iter().any(|object| object.metadata.name.as_deref() == Some(SURPLUS));
            left.extend(is_left.then_some(kind.kind));
        }
        if left.is_empty() { Ok(()) } else { Err(left) }
    })
    .await;
}
