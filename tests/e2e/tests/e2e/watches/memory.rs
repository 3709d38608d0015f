//! What watching takes of memory: nothing for what is not ours, and little for what is.

use super::process::Keeper;
use e2e_tests::keeper::Kept;
use e2e_tests::{Arena, cases, eventually, widget};
use futures::StreamExt;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::api::{ListParams, PostParams};
use serde_json::json;
use urutau_core::KindId;
use urutau_core::control_plane::AuditMark;

const SECRET: KindId = KindId::of::<Secret>();
const PAGE: KindId = KindId::of::<ConfigMap>();

/// How many large objects there are: all of them would be too much for every run.
fn few(all: usize) -> usize {
    let number = cases(all);
    if number == all { all } else { number / 2 }
}

/// The lists of a resource since a mark: how many there were, and how many went on where another ended.
async fn lists(arena: &Arena, mark: AuditMark, resource: &str) -> (usize, usize) {
    let lists = arena.since(mark).await.into_iter().filter(|r| r.verb == "list" && r.resource == resource);
    let lists: Vec<_> = lists.filter(|request| !request.uri.contains("fieldSelector")).collect();
    assert!(lists.iter().all(|list| list.uri.contains("limit=100")), "all of it in pages: {lists:#?}");
    (lists.len(), lists.iter().filter(|list| list.uri.contains("continue=")).count())
}

/// <https://github.com/k8ssandra/k8ssandra-operator/issues/1752>: who owns one Secret keeps every Secret of the cluster.
///
/// What is watched here is metadata alone, and nothing is kept of an object that is not ours. So there is no label selector
/// on the watch: the API server would send less, but an object whose label somebody removes would look deleted, and be
/// made anew over what is there, and one in the way that never had the label could not be seen to go.
#[tokio::test]
async fn d_02_memory_does_not_depend_on_what_is_not_ours() {
    const BYTES: usize = 200 * 1024;
    let arena = Arena::new("d-02").await;
    arena.apply(&widget("w1", &json!({}))).await;
    let mut took = Vec::new();
    let unrelated = few(3000);
    for round in 0..2 {
        if round == 1 {
            let secrets = arena.any(&SECRET);
            let create = |i: usize| {
                let secrets = secrets.clone();
                async move {
                    let secret = json!({
                        "apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1",
                        "metadata": { "name": format!("release-{i}") }, "stringData": { "release": "x".repeat(BYTES) },
                    });
                    secrets.create(&PostParams::default(), &serde_json::from_value(secret).unwrap()).await.unwrap();
                }
            };
            futures::stream::iter(0..unrelated).map(create).buffer_unordered(8).collect::<()>().await;
        }
        let mark = arena.mark().await;
        let keeper = Keeper::start(&arena).await;
        arena.ready::<Kept>("w1").await;
        eventually("lists", || async {
            let lists = lists(&arena, mark, "secrets").await;
            if lists.0 > 0 { Ok(()) } else { Err(lists) }
        })
        .await;
        arena.settled(mark).await;
        let (all, more) = lists(&arena, mark, "secrets").await;
        assert_eq!(all - more, 1, "listed once");
        took.push(keeper.memory());
        keeper.stop().await;
    }
    let there = u64::try_from(unrelated * BYTES / 1024).unwrap();
    println!("{there} KiB of Secrets that are not ours: {took:?} in KiB");
    assert!(took[1].now < took[0].now + there / 10, "{took:?} with {there} KiB of others");
    assert!(took[1].most < took[0].most + there / 10, "{took:?} with {there} KiB of others");
}

/// <https://github.com/kube-rs/kube/issues/1209>: whoever lists anew holds everything twice.
#[tokio::test]
async fn d_01_listing_anew_takes_no_second_copy() {
    const EACH: usize = 50;
    const BYTES: usize = 50 * 1024;
    let arena = Arena::new("d-01").await;
    let pages = few(5000);
    let mut keeper = Keeper::start(&arena).await;
    let mark = arena.mark().await;
    let names: Vec<_> = (0..pages / EACH).map(|i| format!("w{i}")).collect();
    for name in &names {
        arena.apply(&widget(name, &json!({ "pages": EACH, "bytes": BYTES }))).await;
    }
    eventually("every page", || async {
        let there = arena.any(&PAGE).list_metadata(&ListParams::default()).await.unwrap().items.len();
        // One is the cluster's own.
        if there > pages { Ok(()) } else { Err(there) }
    })
    .await;
    for name in &names {
        arena.ready::<Kept>(name).await;
    }
    arena.settled(mark).await;
    // Started anew, so that nothing is left of the writing.
    keeper.stop().await;
    let mark = arena.mark().await;
    keeper = Keeper::start(&arena).await;
    eventually("lists", || async {
        let lists = lists(&arena, mark, "configmaps").await;
        if lists.1 >= pages / 100 { Ok(()) } else { Err(lists) }
    })
    .await;
    arena.settled(mark).await;
    let steady = keeper.memory();
    keeper.forget_the_most();
    let mark = arena.mark().await;
    keeper.relist().await;
    eventually("lists anew", || async {
        let lists = lists(&arena, mark, "configmaps").await;
        if lists.1 >= pages / 100 { Ok(()) } else { Err(lists) }
    })
    .await;
    arena.settled(mark).await;
    assert_eq!(arena.writes_since(mark).await.len(), 0);
    let anew = keeper.memory();
    println!("{pages} pages of {BYTES} bytes: {steady:?} when it has started, {anew:?} listing anew, in KiB");
    assert!(anew.most * 10 <= steady.now * 13, "{steady:?}, then {anew:?}");
    keeper.stop().await;
}
