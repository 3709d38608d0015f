//! Watching what the operator does.

use super::table::{Row, Table};
use crate::api::CDCPipeline;
use crate::cli::failure::Failure;
use crate::objects::PipelineObjects;
use futures::stream::{BoxStream, SelectAll, StreamExt as _};
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, DynamicObject};
use kube::runtime::{WatchStreamExt as _, watcher};
use kube::{Client, ResourceExt as _};
use serde_json::Value;
use std::collections::BTreeMap;
use urutau_core::{KindId, Member as _};

type Events = BoxStream<'static, (usize, &'static str, watcher::Result<watcher::Event<DynamicObject>>)>;

/// Shows the pipelines and their objects; with `until_ready` until every pipeline is ready.
pub(super) async fn show(client: &Client, until_ready: bool) -> Result<(), Failure> {
    let owned = PipelineObjects::NODE.kinds().into_iter().map(|watched| watched.kind);
    let kinds: Vec<KindId> =
        [KindId::of::<CDCPipeline>()].into_iter().chain(owned).chain([KindId::of::<Pod>()]).collect();
    let mut events: SelectAll<Events> = SelectAll::new();
    for (i, kind) in kinds.into_iter().enumerate() {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind.api_resource());
        let config =
            if i == 0 { watcher::Config::default() } else { watcher::Config::default().labels("urutau.io/pipeline") };
        let stream = watcher(api, config).default_backoff();
        events.push(stream.map(move |event| (i, kind.kind, event)).boxed());
    }
    let mut table = Table::new();
    let mut pipelines = BTreeMap::new();
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
        if i == 0 {
            pipelines.insert(name.clone(), is_ready(&object));
        }
        table.set((i, kind), &name, row);
        if until_ready && listed && !pipelines.is_empty() && pipelines.values().all(|ready| *ready) {
            return Ok(());
        }
    }
    Err(Failure::new("the watches ended"))
}

fn is_ready(pipeline: &DynamicObject) -> bool {
    let conditions = pipeline.data.pointer("/status/conditions").and_then(Value::as_array);
    conditions.into_iter().flatten().any(|condition| {
        condition["type"] == "Ready"
            && condition["status"] == "True"
            && condition["observedGeneration"].as_i64() == pipeline.metadata.generation
    })
}

fn row(kind: &str, object: &DynamicObject) -> Row {
    let text = |path: &str| object.data.pointer(path).and_then(Value::as_str).map(str::to_owned);
    let number = |path: &str| object.data.pointer(path).and_then(Value::as_i64).unwrap_or_default();
    if object.metadata.deletion_timestamp.is_some() {
        return Row { state: "being deleted".to_owned(), good: false };
    }
    match kind {
        "CDCPipeline" => {
            let state = text("/status/phase").unwrap_or_else(|| "new".to_owned());
            Row { good: state == "Running", state }
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
