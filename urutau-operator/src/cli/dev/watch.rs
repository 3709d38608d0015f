//! Watching what the operator does.

use super::table::{Row, Table};
use crate::api::CDCPipeline;
use crate::console::Failure;
use crate::objects::PipelineObjects;
use futures::stream::{BoxStream, SelectAll, StreamExt as _};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DynamicObject};
use kube::runtime::{WatchStreamExt as _, watcher};
use kube::{Client, ResourceExt as _};
use serde_json::Value;
use std::collections::BTreeMap;
use tokio::sync::Mutex;
use urutau_core::{KindId, Member as _};

type Events = BoxStream<'static, (usize, &'static str, watcher::Result<watcher::Event<DynamicObject>>)>;

/// What is known of the pipelines: none for one that is ready, else why it is not.
#[derive(Debug, Default)]
pub(super) struct Pipelines(BTreeMap<String, Option<String>>);

impl Pipelines {
    /// Whether there are any and all of them are ready.
    fn are_ready(&self) -> bool {
        !self.0.is_empty() && self.0.values().all(Option::is_none)
    }

    /// Those that are not ready, each with the reason.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, why)| Some((name.as_str(), why.as_deref()?)))
    }
}

/// Shows the pipelines and their objects, until nobody reads it or, with `until_ready`, every pipeline is ready.
pub(super) async fn show(client: &Client, until_ready: bool, pipelines: &Mutex<Pipelines>) -> Result<(), Failure> {
    let owned = PipelineObjects::NODE.kinds().into_iter().map(|watched| watched.kind);
    let kinds: Vec<KindId> =
        [KindId::of::<CDCPipeline>()].into_iter().chain(owned).chain([KindId::of::<Pod>()]).collect();
    let mut events: SelectAll<Events> = SelectAll::new();
    for (i, kind) in kinds.into_iter().enumerate() {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind.api_resource());
        let all = watcher::Config::default();
        let config = if i == 0 { all } else { all.labels("urutau.io/pipeline") };
        let stream = watcher(api, config).default_backoff();
        events.push(stream.map(move |event| (i, kind.kind, event)).boxed());
    }
    let mut table = Table::new();
    let mut listed = false;
    while let Some((i, kind, event)) = events.next().await {
        // A watch that fails is tried again by the stream itself.
        let Ok(event) = event else { continue };
        let (object, gone) = match event {
            watcher::Event::Apply(object) | watcher::Event::InitApply(object) => (object, false),
            watcher::Event::Delete(object) => (object, true),
            watcher::Event::InitDone => {
                listed |= i == 0;
                continue;
            }
            watcher::Event::Init => continue,
        };
        let name = format!("{}/{}", object.namespace().unwrap_or_default(), object.name_any());
        let row = (!gone).then(|| row(kind, &object));
        if table.set((i, kind), &name, row).is_err() {
            return Ok(());
        }
        let mut pipelines = pipelines.lock().await;
        if i == 0 && gone {
            pipelines.0.remove(&name);
        } else if i == 0 {
            pipelines.0.insert(name, why_not_ready(&object));
        }
        if until_ready && listed && pipelines.are_ready() {
            return Ok(());
        }
    }
    Err(Failure::new("the watches ended"))
}

/// Why a pipeline is not ready, in the words of its condition.
fn why_not_ready(pipeline: &DynamicObject) -> Option<String> {
    let Some(ready) = ready(pipeline) else { return Some("the operator has not said anything of it".to_owned()) };
    let text = |field: &str| ready[field].as_str().unwrap_or_default();
    let is_fresh = ready["observedGeneration"].as_i64() == pipeline.metadata.generation;
    match (is_fresh, text("status")) {
        (true, "True") => None,
        _ => Some(format!("{}: {}", text("reason"), text("message"))),
    }
}

fn ready(pipeline: &DynamicObject) -> Option<&Value> {
    let conditions = pipeline.data.pointer("/status/conditions").and_then(Value::as_array);
    conditions?.iter().find(|condition| condition["type"] == "Ready")
}

fn row(kind: &str, object: &DynamicObject) -> Row {
    let text = |path: &str| object.data.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let number = |path: &str| object.data.pointer(path).and_then(Value::as_i64).unwrap_or_default();
    if object.metadata.deletion_timestamp.is_some() {
        return Row { state: "being deleted".to_owned(), good: false };
    }
    match kind {
        "CDCPipeline" => {
            let phase = text("/status/phase").unwrap_or_else(|| "new".to_owned());
            let reason =
                ready(object).filter(|ready| ready["status"] != "True").and_then(|ready| ready["reason"].as_str());
            let state = reason.map_or_else(|| phase.clone(), |reason| format!("{phase}: {reason}"));
            Row { good: phase == "Running" && reason.is_none(), state }
        }
        "StatefulSet" => {
            let (ready, wanted) = (number("/status/readyReplicas"), number("/spec/replicas"));
            Row { state: format!("{ready}/{wanted} ready"), good: ready == wanted }
        }
        "Pod" => {
            let state = text("/status/phase").unwrap_or_default();
            Row { good: state == "Running", state }
        }
        _ => Row { state: "applied".to_owned(), good: true },
    }
}
