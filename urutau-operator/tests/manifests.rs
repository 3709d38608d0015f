//! The committed manifests are what the types say.
#![allow(missing_docs, clippy::unwrap_used)]

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
    let crd: serde_json::Value = serde_json::to_value(cli::crd()).unwrap();
    let expected = [vec![crd], cli::rbac("urutau-system", &[]).unwrap()];
    for ((path, text), expected) in cli::committed().unwrap().into_iter().zip(expected) {
        assert!(!text.contains("{{") && !text.contains("$("), "{path}");
        let read: Vec<serde_json::Value> = serde_saphyr::from_multiple(&text).unwrap();
        assert_eq!(read, expected, "{path}");
    }
}
