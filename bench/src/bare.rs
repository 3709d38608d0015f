//! The limit: a client that sends the writes of the operator and does nothing else.

use crate::Result;
use crate::arena::{Arena, NAMESPACE};
use crate::feed::{Feed, Objects};
use futures::StreamExt;
use kube::api::{Api, ListParams, Patch, PatchParams};
use kube::{Client, Resource, ResourceExt};
use serde_json::{Value, json};
use std::time::Instant;
use urutau_core::plan::Content;
use urutau_core::{Condition, Declare, Inputs, KindId, OwnedRecord, OwnedSet, Status};

const MANAGER: &str = "feed-operator";
/// How many owners are worked on at the same time: the best of these is taken.
const TRIED: [usize; 5] = [4, 8, 16, 32, 64];
/// How many owners each of them is tried with.
const TRIAL: usize = 60;

/// The writes of one owner, in their order.
type Writes = Vec<http::Request<Vec<u8>>>;

/// Finds how many owners are best worked on at the same time.
pub async fn best_concurrency() -> Result<usize> {
    let arena = Arena::start(TRIED.len() * TRIAL, Vec::new()).await?;
    let client = arena.client().await?;
    let mut writes = prepare(&arena).await?;
    let mut best = (0.0, TRIED[0]);
    for concurrency in TRIED {
        let trial = writes.split_off(writes.len() - TRIAL);
        let start = Instant::now();
        send(&client, trial, concurrency).await?;
        let rate = 1.0 / start.elapsed().as_secs_f64();
        if rate > best.0 {
            best = (rate, concurrency);
        }
    }
    arena.end().await?;
    Ok(best.1)
}

/// Every write that brings all owners to where the operator brings them.
pub async fn prepare(arena: &Arena) -> Result<Vec<Writes>> {
    let feeds: Api<Feed> = Api::namespaced(arena.admin.clone(), NAMESPACE);
    feeds.list(&ListParams::default()).await?.iter().map(writes).collect()
}

/// Sends them.
pub async fn send(client: &Client, writes: Vec<Writes>, concurrency: usize) -> Result<()> {
    let one = |writes: Writes| async move {
        for write in writes {
            let answer = client.send(write.map(Into::into)).await?;
            if !answer.status().is_success() {
                let body = answer.into_body().collect_bytes().await?;
                return Err(format!("a write was refused: {}", String::from_utf8_lossy(&body)).into());
            }
            // Read as it comes, and not looked at.
            answer.into_body().collect_bytes().await?;
        }
        Ok::<(), crate::Failure>(())
    };
    let mut sent = futures::stream::iter(writes).map(one).buffer_unordered(concurrency);
    while let Some(done) = sent.next().await {
        done?;
    }
    Ok(())
}

fn writes(feed: &Feed) -> Result<Writes> {
    let namespace = feed.namespace().unwrap_or_default();
    let declared = Objects::declare(feed, &Inputs::new(()).in_namespace(&namespace));
    let plan = declared.and_then(|set| set.plan(&feed.name_any(), &namespace)).map_err(|error| format!("{error:?}"))?;
    let mut writes = Vec::new();
    let mut owned = Vec::new();
    for entry in plan.entries {
        let Content::Object(mut item) = entry.content else { return Err("an object waits".into()) };
        let kind = item.object.kind;
        item.body["metadata"]["ownerReferences"] = json!([feed.controller_owner_ref(&())]);
        item.body["metadata"]["resourceVersion"] = json!("1");
        let request = requests(&kind, &namespace);
        writes.push(request.patch_metadata(
            &item.name,
            &PatchParams::apply(MANAGER).force(),
            &Patch::Apply(&item.body),
        )?);
        owned.push(record(&kind, &item.name));
    }
    let params = PatchParams::apply(&format!("{MANAGER}/status")).force();
    let request = kube::core::Request::new(Feed::url_path(&(), Some(&namespace)));
    writes.push(request.patch_subresource("status", &feed.name_any(), &params, &Patch::Apply(&status(feed, owned)))?);
    Ok(writes)
}

fn requests(kind: &KindId, namespace: &str) -> kube::core::Request {
    let resource = kind.api_resource();
    kube::core::Request::new(kube::api::DynamicObject::url_path(&resource, Some(namespace)))
}

/// As large as what the engine keeps of an object.
fn record(kind: &KindId, name: &str) -> OwnedRecord {
    OwnedRecord {
        group: kind.group.to_owned(),
        kind: kind.kind.to_owned(),
        namespace: None,
        name: name.to_owned(),
        uid: "00000000-0000-0000-0000-000000000000".to_owned(),
        fingerprint: "0000000000000000".to_owned(),
    }
}

/// As large as what the engine writes.
fn status(feed: &Feed, owned: Vec<OwnedRecord>) -> Value {
    let condition = |type_: &str, status: bool, reason: &str, message: &str| {
        let mut condition = Condition::new(type_, status, reason, message);
        condition.observed_generation = feed.metadata.generation;
        condition
    };
    let waits = format!("StatefulSet `{}-coordinator`: 0 of 1 replicas are ready", feed.name_any());
    let status = Status {
        conditions: vec![
            condition("Ready", false, "Progressing", &waits),
            condition("ObjectsApplied", true, "Applied", "6 objects are as declared"),
        ],
        observed_generation: feed.metadata.generation,
        owned,
    };
    json!({
        "apiVersion": Feed::api_version(&()), "kind": Feed::kind(&()),
        "metadata": {"name": feed.name_any(), "namespace": feed.namespace(), "uid": feed.metadata.uid},
        "status": status,
    })
}
