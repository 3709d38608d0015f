use super::super::seen::Seen;
use super::*;
use serde_json::json;

const OURS: &str = "op";

fn entry(manager: &str, operation: &str, time: u32, fields: &Value) -> Value {
    json!({ "manager": manager, "operation": operation, "time": format!("2026-01-01T00:00:{time:02}Z"), "fieldsV1": fields })
}

fn facts(entries: &[Value]) -> Facts {
    let object = json!({ "metadata": { "name": "x", "uid": "u", "managedFields": entries } });
    serde_json::from_value::<Seen<()>>(object).unwrap().facts
}

fn sent() -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": { "name": "x", "namespace": "n", "uid": "u", "labels": { "app": "x" } },
        "spec": { "replicas": 2, "unknown": 1, "template": { "spec": { "containers": [
            { "name": "main", "image": "main:1", "args": ["a"] }, { "name": "side", "image": "side:1" },
        ] } } },
    })
}

fn whole() -> Value {
    let main = json!({ ".": {}, "f:name": {}, "f:image": {}, "f:args": {} });
    let side = json!({ ".": {}, "f:name": {}, "f:image": {} });
    json!({
        "f:metadata": { "f:labels": { "f:app": {} } },
        "f:spec": { "f:replicas": {}, "f:template": { "f:spec": { "f:containers": {
            r#"k:{"name":"main"}"#: main, r#"k:{"name":"side"}"#: side,
        } } } },
    })
}

/// What is told when our entry lost these paths, and others say this.
fn told(gone: &[&[&str]], others: &[Value]) -> Option<String> {
    let mut ours = whole();
    for path in gone {
        let (last, above) = path.split_last().unwrap();
        let at = above.iter().fold(&mut ours, |at, key| &mut at[*key]);
        at.as_object_mut().unwrap().remove(*last).unwrap();
    }
    let mut entries = others.to_vec();
    entries.push(entry(OURS, "Apply", 1, &ours));
    let cause = Cause::of(&facts(&entries), OURS);
    cause.told(&sent(), &facts(&[entry(OURS, "Apply", 9, &whole())]), OURS)
}

const REPLICAS: &[&str] = &["f:spec", "f:replicas"];
const IMAGE: &[&str] = &["f:spec", "f:template", "f:spec", "f:containers", r#"k:{"name":"main"}"#, "f:image"];

#[test]
fn a_30_the_manager_and_the_path_are_named() {
    let scaled = json!({ "f:spec": { "f:replicas": {} } });
    let image = json!({ "f:metadata": { "f:annotations": { "f:theirs": {} } }, "f:spec": { "f:template": { "f:spec": {
        "f:containers": { r#"k:{"name":"main"}"#: { "f:image": {} } } } } } });
    assert_eq!(told(&[REPLICAS], &[entry("kubectl", "Update", 2, &scaled)]).unwrap(), "kubectl changed spec.replicas");
    let both = [entry("kubectl", "Update", 2, &scaled), entry("argo", "Apply", 3, &image)];
    assert_eq!(
        told(&[REPLICAS, IMAGE], &both).unwrap(),
        "kubectl changed spec.replicas, argo changed spec.template.spec.containers[\"main\"].image"
    );
    // The latest of two that claim it.
    let two = [entry("early", "Apply", 2, &scaled), entry("late", "Update", 3, &scaled)];
    assert_eq!(told(&[REPLICAS], &two).unwrap(), "late changed spec.replicas");
}

#[test]
fn a_30_what_nobody_claims_was_removed_by_somebody() {
    assert_eq!(told(&[REPLICAS], &[]).unwrap(), "somebody removed spec.replicas");
    let labels: &[&str] = &["f:metadata"];
    assert_eq!(
        told(&[REPLICAS, IMAGE, labels], &[]).unwrap(),
        "somebody removed metadata.labels.app, spec.replicas and spec.template.spec.containers[\"main\"].image"
    );
    let side: &[&str] = &["f:spec", "f:template", "f:spec", "f:containers", r#"k:{"name":"side"}"#];
    assert_eq!(told(&[side], &[]).unwrap(), "somebody removed spec.template.spec.containers[\"side\"]");
    assert_eq!(told(&[&["f:metadata"], &["f:spec"]], &[]).unwrap().matches(',').count(), 1, "sections are told apart");
}

#[test]
fn a_30_nothing_is_told_of_what_is_not_declared_and_of_what_never_was_ours() {
    let theirs = json!({ "f:metadata": { "f:annotations": { "f:theirs": {} } }, "f:spec": { "f:paused": {} } });
    assert_eq!(told(&[], &[entry("kubectl", "Update", 2, &theirs)]), None);
    assert_eq!(told(&[], &[]), None, "the API server dropped `unknown`");
}

#[test]
fn a_30_many_paths_are_counted() {
    let paths = ["a", "b", "c", "d", "e", "f"];
    let list_of = |n: usize| list(&paths[..n]);
    assert_eq!((list_of(1).as_str(), list_of(2).as_str()), ("a", "a and b"));
    assert_eq!(list_of(4), "a, b, c and d");
    assert_eq!(list_of(5), "a, b, c, d and another field");
    assert_eq!(list_of(6), "a, b, c, d and 2 other fields");
}

#[test]
fn a_30_entries_of_lists_are_found_by_their_keys() {
    let port = json!({ "containerPort": 80, "protocol": "TCP" });
    assert!(is_of(r#"k:{"containerPort":80,"protocol":"TCP"}"#, &port));
    assert!(!is_of(r#"k:{"containerPort":81,"protocol":"TCP"}"#, &port));
    assert!(is_of(r#"v:"a""#, &json!("a")) && !is_of(r#"v:"a""#, &json!("b")));
    assert!(!is_of("i:0", &json!("a")) && !is_of("k:{", &port) && !is_of("k", &port));
}
