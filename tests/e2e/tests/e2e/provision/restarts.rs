//! Provisioning while things go on around it.

use super::{Container, Ended, POD, WORKERS, deployments, pod, ready, running};
use crate::pipeline::{COORDINATOR, NAME, example, pipeline, with};
use e2e_tests::{Arena, Crowd, between, cases, eventually};
use futures::stream::{self, StreamExt as _};
use http::Method;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use urutau_core::control_plane::service_account_user;
use urutau_operator::coordinator::Config;
use urutau_operator::coordinator::provision::{Provisioned, Surroundings, provision};
use urutau_operator::objects::{OperatorRules, PipelineObjects, Settings};

/// How many runs there are at the same time.
const AT_ONCE: usize = 3;

#[tokio::test]
async fn fewer_tables_end_with_exactly_the_named_workers_however_garbage_collection_races() {
    stream::iter(0..cases(20)).for_each_concurrent(AT_ONCE, |_| fewer()).await;
}

/// The pipeline has workers, is edited, and the next Pod provisions while those of the first are collected.
async fn fewer() {
    let (arena, _operator) = running("race").await;
    let first = pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    arena.apply(&with("/spec/definition/inline/tables/1", Value::Null)).await;
    let second = pod(&arena, Some(&first)).await;
    container.mount().await;
    container.provision().await;
    eventually("end of what is not named any more", || async {
        let all = deployments(&arena).await;
        let names: Vec<&str> = all.keys().map(String::as_str).collect();
        let of_second = |deployment: &Deployment| {
            let owners = deployment.metadata.owner_references.as_deref().unwrap_or_default();
            owners.iter().any(|owner| owner.uid == second)
        };
        if names == WORKERS[1..] && all.values().all(of_second) { Ok(()) } else { Err(all) }
    })
    .await;
}

#[tokio::test]
async fn a_change_in_between_is_met_by_another_try() {
    let (arena, _operator) = running("conflict").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    ready(&arena).await;
    // Before the first PUT of one worker arrives, somebody else changes that worker.
    let (admin, namespace) = (arena.admin.clone(), arena.namespace.clone());
    let met = Arc::new(AtomicBool::new(false));
    let first = Arc::clone(&met);
    let account = arena.plane.service_account(&arena.namespace, COORDINATOR).await.unwrap();
    let client = between(account, move |method, uri| {
        let in_between =
            method == Method::PUT && uri.path().ends_with(WORKERS[1]) && !first.swap(true, Ordering::SeqCst);
        let workers: kube::Api<Deployment> = kube::Api::namespaced(admin.clone(), &namespace);
        Box::pin(async move {
            if in_between {
                let change = Patch::Merge(json!({ "metadata": { "labels": { "seen-by": "somebody" } } }));
                workers.patch(WORKERS[1], &PatchParams::default(), &change).await.unwrap();
            }
        })
    });
    let config = Config::read(&container.at("config")).unwrap();
    let done = provision(&config, &Surroundings::new(client, &arena.namespace, POD)).await.unwrap();
    assert_eq!(done, Provisioned::Workers { created: 0, updated: 0, unchanged: 4 });
    assert!(met.load(Ordering::SeqCst));
    let user = service_account_user(&arena.namespace, COORDINATOR);
    let requests = arena.plane.audited(&user).await.unwrap();
    let conflicts = requests.into_iter().filter(|request| request.code == 409).count();
    assert_eq!(conflicts, 1);
    let labels = arena.api::<Deployment>().get(WORKERS[1]).await.unwrap().metadata.labels.unwrap();
    assert_eq!(labels["seen-by"], "somebody");
}

#[tokio::test]
async fn changes_that_do_not_end_are_given_up_in_time() {
    let (arena, _operator) = running("busy").await;
    pod(&arena, None).await;
    let container = Container::mounted(&arena).await;
    container.provision().await;
    // Before every PUT of one worker arrives, somebody else changes that worker.
    let (admin, namespace) = (arena.admin.clone(), arena.namespace.clone());
    let changes = Arc::new(AtomicUsize::new(0));
    let made = Arc::clone(&changes);
    let account = arena.plane.service_account(&arena.namespace, COORDINATOR).await.unwrap();
    let client = between(account, move |method, uri| {
        let change = (method == Method::PUT && uri.path().ends_with(WORKERS[1])).then(
            || json!({ "metadata": { "labels": { "change": made.fetch_add(1, Ordering::SeqCst).to_string() } } }),
        );
        let workers: kube::Api<Deployment> = kube::Api::namespaced(admin.clone(), &namespace);
        Box::pin(async move {
            if let Some(change) = change {
                workers.patch(WORKERS[1], &PatchParams::default(), &Patch::Merge(change)).await.unwrap();
            }
        })
    });
    let config = Config::read(&container.at("config")).unwrap();
    let mut around = Surroundings::new(client, &arena.namespace, POD);
    around.patience = Duration::from_secs(3);
    let done = tokio::time::timeout(Duration::from_secs(30), provision(&config, &around)).await;
    let told = done.unwrap().unwrap_err().to_string();
    assert!(
        told.contains(&format!("1 of the workers could not be made\n  table raw.orders: Deployment {}", WORKERS[1]))
    );
    assert!(told.contains("the object has been modified"), "{told}");
    // With growing pauses.
    let changes = changes.load(Ordering::SeqCst);
    assert!((2..=10).contains(&changes), "{changes} tries");
}

#[tokio::test]
async fn an_api_server_that_is_away_is_waited_for() {
    let arena = Arena::alone("away").await;
    for document in example().iter().filter(|document| document["kind"] == "Secret") {
        arena.apply(document).await;
    }
    let operator = arena.operator::<PipelineObjects, OperatorRules>(Settings::default()).await;
    arena.apply(&pipeline()).await;
    arena.ready::<PipelineObjects>(NAME).await;
    pod(&arena, None).await;
    operator.stop().await;
    let container = Container::mounted(&arena).await;
    arena.plane.stop_api_server().await.unwrap();
    let child = container.command().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It is the time that is asked for: nothing happens that could be waited for.
    tokio::time::sleep(Duration::from_secs(10)).await;
    arena.plane.start_api_server().await.unwrap();
    let ended = Ended::of(child.wait_with_output().await.unwrap());
    assert!(ended.ok && ended.out == "4 created, 0 updated, 0 unchanged\n", "{ended:?}");
    assert!(ended.err.contains("waiting"), "{}", ended.err);
}

#[tokio::test]
async fn many_workers_are_made_a_few_at_a_time() {
    let (arena, _operator) = running("crowd").await;
    arena.apply(&with("/spec/definition/inline/tables/0/workers/number", json!(20))).await;
    let uid = pod(&arena, None).await;
    let container = Container::new(&arena).await;
    eventually("the files of twenty workers", || async {
        container.mount().await;
        let config = Config::read(&container.at("config")).unwrap();
        let number = config.tables[0].workers.names.len();
        if number == 20 { Ok(()) } else { Err(number) }
    })
    .await;
    let pod = pod(&arena, Some(&uid)).await;
    let crowd = Crowd::default();
    let account = arena.plane.service_account(&arena.namespace, COORDINATOR).await.unwrap();
    let inside = crowd.clone();
    let client = between(account, move |_, _| {
        let inside = inside.clone();
        Box::pin(async move { inside.join() })
    });
    let config = Config::read(&container.at("config")).unwrap();
    let done = provision(&config, &Surroundings::new(client, &arena.namespace, POD)).await.unwrap();
    assert_eq!(done, Provisioned::Workers { created: 21, updated: 0, unchanged: 0 }, "of {pod}");
    assert!((2..=8).contains(&crowd.most()), "{} requests at the same time", crowd.most());
}
