//! Replicas between operators, scalers and people. Tests are named after the cases they show.

mod handover;
mod scale;
mod scaled;
mod switch;
mod trace;

use e2e_tests::{Arena, Widget, eventually};
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

type Labels = BTreeMap<String, String>;

const WORKERS: KindId = KindId::of::<Deployment>();
const OURS: &str = "widget-operator";
const HANDOVER: &str = "widget-operator/handover";

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec.template.spec.containers["main"].image = "main:1")]
struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: Labels,
    #[at(spec.replicas)]
    replicas: Option<i32>,
    #[at(metadata.annotations["v"])]
    version: Option<String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    workers: Workers,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let name = owner.metadata.name.clone().unwrap_or_default();
        // Nothing while autoscaling is on.
        let (replicas, version) = (owner.says("replicas")?, owner.says("version")?);
        Ok(Self { workers: Workers { labels: Labels::from([("app".to_owned(), name)]), replicas, version } })
    }
}

/// Scales an object as somebody else.
async fn scale(arena: &Arena, manager: &str, kind: &KindId, name: &str, replicas: i32) {
    let params = PatchParams { field_manager: Some(manager.to_owned()), ..PatchParams::default() };
    let patch = Patch::Merge(json!({ "spec": { "replicas": replicas } }));
    arena.any(kind).patch_scale(name, &params, &patch).await.unwrap();
}

/// Who claims `spec.replicas` of an object.
async fn owners(arena: &Arena, kind: &KindId, name: &str) -> Vec<String> {
    let managed = arena.at(kind, name, "/metadata/managedFields").await;
    let entries = managed.as_array().cloned().unwrap_or_default();
    let claims = |entry: &&Value| entry.pointer("/fieldsV1/f:spec/f:replicas").is_some();
    let mut owners: Vec<_> =
        entries.iter().filter(claims).map(|entry| entry["manager"].as_str().unwrap().to_owned()).collect();
    owners.sort();
    owners
}

/// Waits until these are all who claim `spec.replicas`.
async fn owned_by(arena: &Arena, kind: &KindId, name: &str, expected: &[&str]) {
    eventually(&format!("replicas of {name} owned by {expected:?}"), || async {
        let now = owners(arena, kind, name).await;
        if now == expected { Ok(()) } else { Err(now) }
    })
    .await;
}
