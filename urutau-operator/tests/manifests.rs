//! The committed manifests are what the types say.
#![allow(missing_docs, clippy::unwrap_used)]

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use urutau_operator::cli;

const WRITE: &str = "cargo run -p xtask --features manifests -- manifests";

#[test]
fn the_committed_manifests_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (path, text) in cli::committed().unwrap() {
        let committed = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(committed == text, "{path} is not what the types say: run `{WRITE}` and commit");
        assert!(text.starts_with("# Written by ") && text.contains(WRITE), "{path} does not say what writes it");
    }
}

#[test]
fn manifests_are_the_same_each_time() {
    let first = cli::committed().unwrap();
    assert!((0..5).all(|_| cli::committed().unwrap() == first));
    let of = |namespaces: &[&str]| cli::rbac("ops", &texts(namespaces)).unwrap();
    let first = of(&["a", "b"]);
    assert!((0..5).all(|_| of(&["a", "b"]) == first));
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The value at a path, as text.
fn at(object: &Value, path: &str) -> String {
    object.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Tools that put everything into one namespace know an object by its kind and name; a binding finds its role, in its
/// own namespace or in none, and binds the account where the operator runs.
#[test]
fn b_17_names_are_unique_and_bindings_fit() {
    for namespaces in [&[][..], &["a"], &["a", "b", "ops"]] {
        let objects = cli::rbac("ops", &texts(namespaces)).unwrap();
        let ids: BTreeSet<_> =
            objects.iter().map(|object| (at(object, "/kind"), at(object, "/metadata/name"))).collect();
        assert_eq!(ids.len(), objects.len(), "{namespaces:?}");
        let bindings = objects.iter().filter(|object| at(object, "/kind").ends_with("Binding"));
        for binding in bindings {
            let kind = at(binding, "/kind");
            assert_eq!(format!("{}Binding", at(binding, "/roleRef/kind")), kind);
            let is_role = |object: &&Value| {
                (at(object, "/kind"), at(object, "/metadata/name"), at(object, "/metadata/namespace"))
                    == (at(binding, "/roleRef/kind"), at(binding, "/roleRef/name"), at(binding, "/metadata/namespace"))
            };
            assert_eq!(objects.iter().filter(is_role).count(), 1, "{binding}");
            assert_eq!(at(binding, "/metadata/namespace").is_empty(), kind == "ClusterRoleBinding");
            let subject = json!([{ "kind": "ServiceAccount", "name": "urutau-operator", "namespace": "ops" }]);
            assert_eq!(binding["subjects"], subject);
        }
        let of = |kind: &str| objects.iter().filter(|object| at(object, "/kind") == kind).count();
        let whole = usize::from(namespaces.is_empty());
        assert_eq!(
            (of("Role"), of("RoleBinding"), of("ClusterRoleBinding")),
            (namespaces.len(), namespaces.len(), whole)
        );
    }
}

/// An operator of namespaces holds nothing in the whole cluster, and nobody holds more than what is used.
#[test]
fn b_20_nothing_is_wider_than_its_use() {
    for namespaces in [&[][..], &["a"], &["a", "b"]] {
        let objects = cli::rbac("ops", &texts(namespaces)).unwrap();
        let text = serde_json::to_string(&objects).unwrap();
        assert!(!text.contains("\"*\"") && !text.contains("deletecollection"), "{text}");
        let own = objects.iter().filter(|object| at(object, "/metadata/name").starts_with("urutau-operator"));
        let roles: Vec<_> = own.filter(|object| object.get("rules").is_some()).collect();
        assert_eq!(roles.len(), namespaces.len().max(1));
        for role in roles {
            assert_eq!(at(role, "/kind"), if namespaces.is_empty() { "ClusterRole" } else { "Role" });
            let said = role["rules"].as_array().unwrap().iter();
            let secrets: Vec<_> =
                said.filter(|rule| rule["resources"].as_array().unwrap().contains(&json!("secrets"))).collect();
            assert_eq!(secrets.len(), 1);
            assert_eq!(secrets[0]["verbs"], json!(["get", "list", "watch"]));
        }
    }
}

/// Below what `kubectl apply` can put into an annotation, and a Helm release into its Secret with much else.
#[test]
fn h_12_the_crd_is_small() {
    let json = serde_json::to_string(&cli::crd()).unwrap();
    assert!(json.len() < 64 * 1024, "{} bytes", json.len());
}

/// What a template engine takes for its own does not stand in a manifest, and each is read as it was meant.
#[test]
fn h_15_manifests_are_safe_to_template_and_read_back_the_same() {
    let crd: Value = serde_json::to_value(cli::crd()).unwrap();
    let expected = [vec![crd], cli::rbac("urutau-system", &[]).unwrap()];
    for ((path, text), expected) in cli::committed().unwrap().into_iter().zip(expected) {
        assert!(!text.contains("{{") && !text.contains("$("), "{path}");
        let read: Vec<Value> = serde_saphyr::from_multiple(&text).unwrap();
        assert_eq!(read, expected, "{path}");
    }
}
