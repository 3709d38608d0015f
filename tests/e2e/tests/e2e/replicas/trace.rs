//! Everything that happens to the objects of a kind, in order.

use e2e_tests::{Arena, eventually};
use futures::StreamExt;
use kube::api::{DynamicObject, ListParams, WatchEvent, WatchParams};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use urutau_core::KindId;

/// One change: the version, whether the object is there after it, and the object.
pub(super) type Change = (u64, bool, Value);

/// A watch on the objects of a kind in a namespace, and what it has seen.
pub(super) struct Trace {
    seen: Arc<Mutex<Vec<Change>>>,
    task: JoinHandle<()>,
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Trace {
    /// Watches from now on; what is there now is the first that is seen.
    pub(super) async fn of(arena: &Arena, kind: &KindId) -> Self {
        let api = arena.any(kind);
        let list = api.list(&ListParams::default()).await.unwrap();
        let first: Vec<_> = list.items.iter().map(|object| change(object, true)).collect();
        let seen = Arc::new(Mutex::new(first));
        let version = list.metadata.resource_version.unwrap_or_default();
        let all = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            let events = api.watch(&WatchParams::default().timeout(290), &version).await.unwrap();
            let mut events = std::pin::pin!(events);
            while let Some(event) = events.next().await {
                let change = match &event.unwrap() {
                    WatchEvent::Added(object) | WatchEvent::Modified(object) => change(object, true),
                    WatchEvent::Deleted(object) => change(object, false),
                    WatchEvent::Bookmark(_) => continue,
                    WatchEvent::Error(error) => panic!("the trace is broken: {error:?}"),
                };
                all.lock().unwrap().push(change);
            }
        });
        Self { seen, task }
    }

    /// Everything until now.
    pub(super) async fn until_now(&self, arena: &Arena, kind: &KindId) -> Vec<Change> {
        let there = arena.any(kind).list(&ListParams::default()).await.unwrap();
        let newest = there.items.iter().map(|object| change(object, true).0).max().unwrap_or_default();
        eventually("the trace until now", || async {
            let seen = self.seen.lock().unwrap().clone();
            let last = seen.iter().map(|(version, ..)| *version).max().unwrap_or_default();
            if last >= newest { Ok(seen) } else { Err((last, newest)) }
        })
        .await
    }

    /// The different values that a place has had one after the other.
    pub(super) async fn values(&self, arena: &Arena, kind: &KindId, path: &str) -> Vec<Value> {
        let seen = self.until_now(arena, kind).await;
        let mut values: Vec<_> =
            seen.iter().map(|(_, _, object)| object.pointer(path).cloned().unwrap_or_default()).collect();
        values.dedup();
        values
    }
}

fn change(object: &DynamicObject, there: bool) -> Change {
    let version = object.metadata.resource_version.as_deref().unwrap_or_default().parse().unwrap();
    (version, there, serde_json::to_value(object).unwrap())
}
