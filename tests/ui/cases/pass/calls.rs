//! Calls that the rules allow, and reads that the set says.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Pod, Secret};
use kube::api::{DeleteParams, ListParams, PatchParams};
use serde_json::json;
use urutau_core::{CallError, Client, Kind, Names, RbacRules};

/// Every verb at once, and one said twice on other names.
#[derive(RbacRules)]
#[rule(Deployment, verbs("*"))]
#[rule(Secret, verbs(get), names("a"))]
#[rule(Secret, verbs(get), names("b"))]
#[rule(Pod/status, Pod/scale, verbs(update, patch))]
#[rule(Pod/log, verbs(get))]
#[rule("batch"/"jobs", verbs(get))]
#[rule(urls("/metrics"), verbs(get))]
pub struct Rules {
    /// The ones that are known later.
    #[rule(Pod, verbs(get, update))]
    pub pods: Vec<String>,
}

/// A rule on any kind.
#[derive(RbacRules)]
#[rule(K, verbs(get))]
pub struct Reader<K: Kind>(std::marker::PhantomData<K>);

/// Rules on any two kinds, and on one that is known: calls are possible on that one.
#[derive(RbacRules)]
#[rule(A, B, Secret, verbs(get))]
pub struct Readers<A: Kind, B: Kind>(std::marker::PhantomData<(A, B)>);

pub async fn read_one(client: Client<Readers<Pod, Pod>>) -> Result<Option<Secret>, CallError> {
    client.get("a").await
}

pub async fn work(client: kube::Client) -> Result<(), CallError> {
    let client = Client::new(client, &Rules { pods: vec!["a-0".to_owned()] }, &Names::new("a", "team-a", "a"));
    client.get::<Secret>("a").await?;
    client.list::<Deployment>(&ListParams::default()).await?;
    client.create(&Deployment::default()).await?;
    client.update(&Pod::default()).await?;
    client.update_status(&Pod::default()).await?;
    client.merge_status::<Pod>("a-0", &json!({})).await?;
    client.merge::<Deployment>("a", &json!({})).await?;
    client.apply::<Deployment>("a", &json!({}), &PatchParams::apply("me")).await?;
    client.in_namespace("team-b").delete::<Deployment>("a", &DeleteParams::default()).await?;
    client.scale::<Pod>("a-0", 1).await.map(drop)
}

pub async fn read(client: Client<Reader<Secret>>) -> Result<Option<Secret>, CallError> {
    client.get("a").await
}

fn main() {}
