use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use kube::api::{DeleteParams, ListParams, PatchParams};
use serde_json::json;
use urutau_core::{CallError, Client, RbacRules};

/// What the worker may do.
#[derive(RbacRules)]
#[rule(Secret, verbs(get))]
#[rule(Pod, verbs(get, list))]
#[rule(Pod/status, verbs(get))]
#[rule(Deployment, verbs(delete), to_grant)]
pub struct WorkerRules;

pub async fn work(client: &Client<WorkerRules>) -> Result<(), CallError> {
    client.get::<Secret>("password").await?;
    client.get::<ConfigMap>("settings").await?;
    client.list::<Secret>(&ListParams::default()).await?;
    client.merge_status::<Pod>("me", &json!({})).await?;
    client.scale::<Deployment>("web", 3).await?;
    // It may grant this, and not do it.
    client.delete::<Deployment>("web", &DeleteParams::default()).await?;
    Ok(())
}

pub async fn apply(client: &Client<WorkerRules>) -> Result<Pod, CallError> {
    client.apply::<Pod>("me", &json!({}), &PatchParams::default()).await
}

fn main() {}
