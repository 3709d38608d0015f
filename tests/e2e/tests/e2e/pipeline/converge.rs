//! From nothing to ready, and then silence.

use super::{NAME, arena, pipeline, running};
use e2e_tests::quiet;
use std::collections::BTreeMap;
use std::time::Duration;
use urutau_operator::objects::PipelineObjects;

#[tokio::test]
async fn a_first_reconcile_writes_each_object_once_and_the_status_at_most_twice() {
    let (arena, _operator) = arena("first").await;
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    let mut writes: BTreeMap<String, usize> = BTreeMap::new();
    for request in arena.requests().await {
        if !matches!(request.verb.as_str(), "get" | "list" | "watch") {
            *writes
                .entry(format!("{} {}/{} {}", request.verb, request.resource, request.subresource, request.name))
                .or_default() += 1;
        }
    }
    let status = writes.remove(&format!("patch cdcpipelines/status {NAME}")).unwrap_or_default();
    assert!((1..=2).contains(&status), "{status} status writes");
    assert_eq!(writes.len(), 8, "{writes:#?}");
    assert!(writes.values().all(|times| *times == 1), "{writes:#?}");
    assert!(arena.refused().await.is_empty(), "{:#?}", arena.refused().await);
    let gets =
        arena.requests().await.into_iter().filter(|request| request.verb == "get" && request.resource != "secrets");
    assert_eq!(gets.count(), 0, "nothing has to be read but the Secrets");
}

#[tokio::test]
async fn a_steady_state_writes_nothing_over_resyncs() {
    let (arena, _operator) = running("steady").await;
    let mark = arena.plane.audit_mark().await.unwrap();
    // The operator of a test looks at everything every two seconds.
    quiet("a request", Duration::from_secs(7), || arena.since(mark)).await;
}
