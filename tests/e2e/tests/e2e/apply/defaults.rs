//! What the API server adds to what is said is never a difference, and looking never writes.

use super::zoo::{Rules, Zoo, kinds};
use super::{at_rest, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, NEVER, OFTEN, times, widget};
use k8s_openapi::api::apps::v1::Deployment;
use serde_json::json;
use std::collections::BTreeSet;
use urutau_core::KindId;

#[tokio::test]
async fn a_06_defaults_within_what_is_ours_are_no_difference() {
    let arena = Arena::new("a-06").await;
    let _operator = arena.looking::<Zoo, Rules>(OFTEN).await;
    let mark = arena.mark().await;
    arena.apply(&widget("w1", &json!({}))).await;
    let requests = at_rest::<Zoo>(&arena, "w1", mark).await;
    let status = requests.iter().filter(|request| request.subresource == "status").count();
    assert!(status <= 2, "the status says once that all is applied and once that it is ready: {status}");
    for (what, times) in times(&writes(requests)) {
        // These count no changes, and their controllers write their status in the second of our apply: that nothing of
        // ours changed with it does not show, and is made certain by one more apply.
        let most = if what.contains("persistentvolumeclaims") || what.contains("resourcequotas") { 2 } else { 1 };
        assert!(times <= most, "{times} of {what}");
    }
    stays_silent(&arena, &kinds()).await;
    let port = "/spec/template/spec/containers/0/env/0/valueFrom/fieldRef/apiVersion";
    assert_eq!(arena.at(&KindId::of::<Deployment>(), "w1", port).await, "v1", "a default was added");

    // Written once more for another reason, none of it is a change that counts.
    let before = arena.versions(&kinds()).await;
    let mark = arena.mark().await;
    for kind in kinds() {
        arena.edit(MANAGER, &kind, "w1", "replace", "/metadata/labels/zoo", json!("theirs")).await;
    }
    for kind in kinds() {
        arena.becomes(&kind, "w1", "/metadata/labels/zoo", &json!("w1")).await;
    }
    let requests = writes(arena.settled(mark).await);
    assert_eq!(requests.len(), kinds().len(), "each is mended once: {:#?}", times(&requests));
    let generations = |versions: &std::collections::BTreeMap<String, (String, i64)>| {
        versions.iter().map(|(name, (_, generation))| (name.clone(), *generation)).collect::<BTreeSet<_>>()
    };
    assert_eq!(generations(&arena.versions(&kinds()).await), generations(&before));
    stays_silent(&arena, &kinds()).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_09_looking_and_starting_again_change_nothing() {
    let arena = Arena::new("a-09").await;
    let operator = arena.looking::<Zoo, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({}))).await;
    at_rest::<Zoo>(&arena, "w1", arena.mark().await).await;
    let first = arena.versions(&kinds()).await;
    assert!(first.len() >= kinds().len());
    stays_silent(&arena, &kinds()).await;
    operator.stop().await;

    let mark = arena.mark().await;
    let _operator = arena.looking::<Zoo, Rules>(NEVER).await;
    let asked: BTreeSet<_> = arena.settled(mark).await.into_iter().map(|request| request.verb).collect();
    assert_eq!(asked, BTreeSet::from(["list".to_owned()]), "besides watches");
    assert_eq!(arena.versions(&kinds()).await, first);
    assert_eq!(arena.failed().await, [""; 0]);
}
