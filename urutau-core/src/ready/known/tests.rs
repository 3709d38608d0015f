use super::*;
use crate::ready::Check;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim, Pod, Service};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use serde_json::{Value, json};

/// The first letter of a readiness: Ready, Not ready, Failed.
fn letter(kind: &KindId, object: &Value) -> char {
    let view = serde_json::from_value(object.clone()).unwrap();
    match Check::Known.of(kind, &view) {
        Readiness::Ready => 'R',
        Readiness::NotReady(why) => {
            assert!(!why.is_empty());
            'N'
        }
        Readiness::Failed(why) => {
            assert!(!why.is_empty());
            'F'
        }
    }
}

fn table(kind: KindId, rows: &[(&str, char, Value)]) {
    for (what, readiness, object) in rows {
        assert_eq!(letter(&kind, object), *readiness, "{kind}: {what}");
    }
}

#[allow(clippy::needless_pass_by_value)] // As `json!` gives it.
fn generation(generation: i64, spec: Value, status: Value) -> Value {
    json!({"metadata": {"generation": generation}, "spec": spec, "status": status})
}

#[test]
fn j_04_a_deployment_is_ready_when_the_newest_replicas_are_available() {
    let progressing =
        |status, reason| json!([{"type": "Progressing", "status": status, "reason": reason, "message": "m"}]);
    table(
        KindId::of::<Deployment>(),
        &[
            ("just created", 'N', generation(1, json!({"replicas": 1}), json!({}))),
            (
                "all there",
                'R',
                generation(
                    2,
                    json!({"replicas": 2}),
                    json!({"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2}),
                ),
            ),
            (
                "available, but of the old revision",
                'N',
                generation(
                    2,
                    json!({"replicas": 2}),
                    json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 2}),
                ),
            ),
            (
                "the status speaks of the old generation",
                'N',
                generation(
                    3,
                    json!({"replicas": 2}),
                    json!({"observedGeneration": 2, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2}),
                ),
            ),
            (
                "old replicas are left",
                'N',
                generation(
                    2,
                    json!({"replicas": 2}),
                    json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 2, "availableReplicas": 3}),
                ),
            ),
            ("no replicas wanted", 'R', generation(1, json!({"replicas": 0}), json!({"observedGeneration": 1}))),
            ("replicas left to the server", 'N', generation(1, json!({}), json!({"observedGeneration": 1}))),
            (
                "paused in a rollout",
                'N',
                generation(
                    2,
                    json!({"replicas": 1, "paused": true}),
                    json!({"observedGeneration": 2, "replicas": 1, "availableReplicas": 1}),
                ),
            ),
            (
                "stuck",
                'F',
                generation(
                    1,
                    json!({}),
                    json!({"observedGeneration": 1, "conditions": progressing("False", "ProgressDeadlineExceeded")}),
                ),
            ),
            (
                "in progress",
                'N',
                generation(
                    1,
                    json!({}),
                    json!({"observedGeneration": 1, "conditions": progressing("True", "ReplicaSetUpdated")}),
                ),
            ),
        ],
    );
}

#[test]
fn j_04_a_stateful_set_is_ready_when_its_revision_is_rolled_out() {
    let done = |current, update| {
        json!({"observedGeneration": 2, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 2,
               "currentRevision": current, "updateRevision": update})
    };
    let half = json!({"observedGeneration": 2, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 1,
                      "currentRevision": "a", "updateRevision": "b"});
    let on_delete = json!({"replicas": 2, "updateStrategy": {"type": "OnDelete"}});
    let canary = json!({"replicas": 2, "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}});
    table(
        KindId::of::<StatefulSet>(),
        &[
            ("just created", 'N', generation(1, json!({"replicas": 1}), json!({}))),
            ("all there", 'R', generation(2, json!({"replicas": 2}), done("b", "b"))),
            ("rolled out, not yet said", 'N', generation(2, json!({"replicas": 2}), done("a", "b"))),
            ("half rolled out", 'N', generation(2, json!({"replicas": 2}), half.clone())),
            ("half rolled out, the rest on demand", 'R', generation(2, on_delete, half.clone())),
            ("a canary", 'R', generation(2, canary, half)),
            ("the old generation", 'N', generation(3, json!({"replicas": 2}), done("b", "b"))),
            ("no replicas wanted", 'R', generation(1, json!({"replicas": 0}), json!({"observedGeneration": 1}))),
        ],
    );
}

#[test]
fn j_04_the_other_kinds_are_ready_by_what_they_are_for() {
    table(
        KindId::of::<DaemonSet>(),
        &[
            ("no node", 'R', generation(1, json!({}), json!({"observedGeneration": 1}))),
            ("not seen", 'N', generation(1, json!({}), json!({}))),
            (
                "ready",
                'R',
                generation(
                    1,
                    json!({}),
                    json!({"observedGeneration": 1, "desiredNumberScheduled": 2, "updatedNumberScheduled": 2, "numberReady": 2}),
                ),
            ),
            (
                "an old Pod",
                'N',
                generation(
                    1,
                    json!({}),
                    json!({"observedGeneration": 1, "desiredNumberScheduled": 2, "updatedNumberScheduled": 1, "numberReady": 2}),
                ),
            ),
        ],
    );
    let condition = |type_: &str| json!({"status": {"conditions": [{"type": type_, "status": "True", "reason": "x", "message": "m"}]}});
    table(
        KindId::of::<Job>(),
        &[
            ("running", 'N', json!({"status": {"active": 1}})),
            ("complete", 'R', condition("Complete")),
            ("failed", 'F', condition("Failed")),
        ],
    );
    table(
        KindId::of::<Pod>(),
        &[
            ("pending", 'N', json!({"status": {"phase": "Pending"}})),
            ("running", 'N', json!({"status": {"phase": "Running"}})),
            (
                "ready",
                'R',
                json!({"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}),
            ),
            ("done", 'R', json!({"status": {"phase": "Succeeded"}})),
            ("failed", 'F', json!({"status": {"phase": "Failed"}})),
            (
                "going",
                'N',
                json!({"metadata": {"deletionTimestamp": "now"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
            ),
        ],
    );
    table(
        KindId::of::<PersistentVolumeClaim>(),
        &[
            ("pending", 'N', json!({"status": {"phase": "Pending"}})),
            ("bound", 'R', json!({"status": {"phase": "Bound"}})),
            ("lost", 'F', json!({"status": {"phase": "Lost"}})),
        ],
    );
    table(
        KindId::of::<Service>(),
        &[
            ("inside", 'R', json!({"spec": {"type": "ClusterIP"}, "status": {"loadBalancer": {}}})),
            ("no address", 'N', json!({"spec": {"type": "LoadBalancer"}, "status": {"loadBalancer": {}}})),
            (
                "an address",
                'R',
                json!({"spec": {"type": "LoadBalancer"}, "status": {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}}),
            ),
        ],
    );
    table(
        KindId::of::<PodDisruptionBudget>(),
        &[
            ("not seen", 'N', generation(1, json!({}), json!({}))),
            (
                "healthy",
                'R',
                generation(1, json!({}), json!({"observedGeneration": 1, "currentHealthy": 2, "desiredHealthy": 1})),
            ),
            (
                "not healthy",
                'N',
                generation(1, json!({}), json!({"observedGeneration": 1, "currentHealthy": 0, "desiredHealthy": 1})),
            ),
        ],
    );
    table(KindId::of::<ConfigMap>(), &[("there", 'R', json!({}))]);
}

#[test]
fn a_custom_resource_is_ready_by_its_condition() {
    let kind = KindId {
        group: "keda.sh",
        version: "v1alpha1",
        kind: "ScaledObject",
        plural: "scaledobjects",
        namespaced: true,
    };
    let ready = |status: &str, observed: Value| {
        json!({"metadata": {"generation": 2}, "status": {"conditions": [
            {"type": "Ready", "status": status, "observedGeneration": observed}]}})
    };
    table(
        kind,
        &[
            ("no status", 'N', json!({})),
            ("ready", 'R', ready("True", json!(null))),
            ("ready, long ago", 'N', ready("True", json!(1))),
            ("not ready", 'N', ready("False", json!(2))),
            ("stalled", 'F', json!({"status": {"conditions": [{"type": "Stalled", "status": "True"}]}})),
        ],
    );
}

#[test]
fn fields_of_another_type_are_as_good_as_absent() {
    table(
        KindId::of::<Deployment>(),
        &[(
            "everything is odd",
            'N',
            json!({"spec": {"replicas": "2", "paused": 1}, "status": {"conditions": "none", "replicas": {}, "phase": []}}),
        )],
    );
}
