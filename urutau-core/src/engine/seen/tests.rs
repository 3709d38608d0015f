use super::*;
use kube::core::{ObjectList, WatchEvent};
use serde_json::{Value, json};

const OURS: &str = "widget-operator";

fn config_map() -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"},
        "metadata": {
            "name": "w1", "namespace": "team-a", "uid": "0a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5", "resourceVersion": "42",
            "labels": {"app": "w1", "theirs": "x"},
            "ownerReferences": [
                {"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "n"},
                {"apiVersion": "acme.example/v1", "kind": "Widget", "name": "w1", "uid": "w", "controller": true},
            ],
            "managedFields": [
                {"manager": OURS, "operation": "Apply", "apiVersion": "v1", "time": "2025-01-02T03:04:05Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:data": {"f:a": {}}, "f:metadata": {"f:labels": {"f:app": {}}}}},
                {"manager": OURS, "operation": "Update", "apiVersion": "v1", "time": "2025-01-02T03:04:09Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:status": {}}, "subresource": "status"},
                {"manager": "kubectl-edit", "operation": "Update", "apiVersion": "v1", "time": "2025-01-02T03:04:07Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:metadata": {"f:labels": {"f:theirs": {}}}}},
            ],
        },
    })
}

fn seen(object: &Value) -> Seen<()> {
    serde_json::from_str(&object.to_string()).unwrap()
}

fn with(path: &str, value: Value) -> Seen<()> {
    let mut object = config_map();
    *object.pointer_mut(path).unwrap() = value;
    seen(&object)
}

#[test]
fn metadata_is_reduced_to_what_is_looked_at() {
    let facts = seen(&config_map()).facts;
    assert_eq!((facts.namespace.as_str(), facts.name.as_str(), facts.version), ("team-a", "w1", 42));
    assert_eq!((facts.generation, facts.deleting), (0, false));
    assert_eq!(facts.controller.clone().map(|owner| owner.uid).as_deref(), Some("w"));
    assert_eq!(facts.time_of(OURS), 1_735_787_045);
    assert_eq!(facts.last_writer().map(|writer| writer.time), Some(1_735_787_049));
    assert_ne!(facts.fields_of(OURS), 0);
    assert_eq!(facts.fields_of("kubectl-edit"), 0, "it does not apply");
    assert_eq!(facts.writers.capacity(), 3, "none of the room of the entries is kept");
}

#[test]
fn our_fingerprint_moves_with_our_entry_and_with_nothing_else() {
    let ours = seen(&config_map()).facts.fields_of(OURS);
    let same = [
        ("/metadata/labels/theirs", json!("y")),
        ("/metadata/managedFields/1/time", json!("2026-01-01T00:00:00Z")),
        ("/metadata/managedFields/2/fieldsV1", json!({"f:data": {"f:b": {}}})),
        ("/metadata/resourceVersion", json!("43")),
        ("/data", json!({"a": "1", "b": "2"})),
    ];
    for (path, value) in same {
        assert_eq!(with(path, value).facts.fields_of(OURS), ours, "{path}");
    }
    let moved = [
        ("/metadata/managedFields/0/fieldsV1", json!({"f:metadata": {"f:labels": {"f:app": {}}}})),
        ("/metadata/managedFields/0/time", json!("2025-01-02T03:04:06Z")),
        ("/metadata/managedFields/0/manager", json!("other")),
        ("/metadata/managedFields/0/operation", json!("Update")),
        // An apply under our name in the second of ours leaves the entry as it is; the value tells.
        ("/metadata/labels/app", json!("w2")),
        ("/metadata/labels", json!({})),
    ];
    for (path, value) in moved {
        assert_ne!(with(path, value).facts.fields_of(OURS), ours, "{path}");
    }
}

#[test]
fn a_07_managed_fields_that_make_no_sense_are_a_fingerprint_of_nothing() {
    let broken = [json!(null), json!([]), json!([{}]), json!([null]), json!([{"manager": OURS, "fieldsV1": null}])];
    for fields in broken {
        assert_eq!(with("/metadata/managedFields", fields.clone()).facts.fields_of(OURS), 0, "{fields}");
    }
    let bare = seen(&json!({"metadata": {"name": "x", "managedFields": [{"manager": OURS, "operation": "Apply"}]}}));
    assert_ne!(bare.facts.fields_of(OURS), 0);
    assert_eq!(bare.facts.time_of(OURS), 0);
}

#[test]
fn lists_and_watches_are_read() {
    let list = json!({"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadataList",
                      "metadata": {"resourceVersion": "50"}, "items": [config_map(), config_map()]});
    let list: ObjectList<Seen<()>> = serde_json::from_str(&list.to_string()).unwrap();
    assert_eq!(list.items.len(), 2);
    let event = json!({"type": "MODIFIED", "object": config_map()});
    let event: WatchEvent<Seen<View>> = serde_json::from_str(&event.to_string()).unwrap();
    let WatchEvent::Modified(seen) = event else { panic!("{event:?}") };
    assert_eq!(kube::ResourceExt::resource_version(&seen).as_deref(), Some("42"));
}

#[test]
fn a_view_holds_what_readiness_is_read_off() {
    let object = json!({
        "metadata": {"name": "w1", "generation": 3},
        "spec": {"replicas": 2, "template": {"spec": {"containers": [{}]}}},
        "status": {"readyReplicas": 1, "phase": {"not": "a text"}, "observedGeneration": 3},
    });
    let view = serde_json::from_str::<Seen<View>>(&object.to_string()).unwrap().view;
    assert_eq!((view.metadata.generation, view.spec.replicas), (Some(3), Some(2)));
    assert_eq!((view.status.ready_replicas, view.status.phase), (Some(1), None));
    let odd = json!({"metadata": {"name": "w1"}, "spec": "a text", "status": [1]});
    assert_eq!(serde_json::from_str::<Seen<View>>(&odd.to_string()).unwrap().view.spec.replicas, None);
}
