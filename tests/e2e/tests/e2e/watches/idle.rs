//! Owners that nothing happens to, whatever their status says.

use e2e_tests::{Arena, Crowd, NEVER, OFTEN, Relic, cases, eventually, times};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::jiff::Timestamp;
use kube::api::{ListParams, Patch, PatchParams};
use serde::Serialize;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, Report};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["k"] = "1")]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Relic, manager = "widget-operator")]
struct Objects {
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    /// Counts how often it is asked.
    type Settings = Crowd;
    fn declare(_: &Relic, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let _one = inputs.settings.join();
        Ok(Self { page: Page })
    }

    /// Never the same twice: a time, a number if that is asked for, and two conditions in changing order.
    fn status(owner: &Relic, _: &Report) -> impl Serialize {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::SeqCst);
        let condition = |type_: &str| json!({ "type": type_, "status": "True", "reason": "Fine", "message": "m" });
        let mut conditions = vec![condition("One"), condition("Two")];
        if count.is_multiple_of(2) {
            conditions.reverse();
        }
        let mut status = json!({ "conditions": conditions, "lastSync": Timestamp::now().to_string() });
        if owner.spec.text == "counts" {
            status["passes"] = json!(count);
        }
        status
    }
}

const OWNERS: usize = 200;

async fn all_there(arena: &Arena, owners: usize, text: &str) {
    let relics = arena.any(&KindId::of::<Relic>());
    let all = (0..owners).map(|i| {
        let (relics, name) = (&relics, format!("w{i}"));
        async move {
            let params = PatchParams::apply("admin").force();
            let relic = json!({
                "apiVersion": "acme.example/v1", "kind": "Relic", "metadata": { "name": name }, "spec": { "text": text },
            });
            relics.patch(&name, &params, &Patch::Apply(relic)).await.unwrap()
        }
    });
    futures::future::join_all(all).await;
    eventually("every page", || async {
        let pages = arena.any(&KindId::of::<ConfigMap>()).list(&ListParams::default()).await.unwrap();
        let there = pages.items.iter().filter(|page| page.data["data"]["k"] == "1").count();
        if there == owners { Ok(()) } else { Err(there) }
    })
    .await;
}

/// <https://github.com/konflux-ci/konflux-ci/issues/5874>: a status that says something else each time wakes its own owner,
/// which writes it again. An order is no difference, and a time alone is not written more often than progress is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn d_06_a_status_that_is_never_the_same_wakes_nobody() {
    let arena = Arena::new("d-06").await;
    let owners = cases(OWNERS);
    let account = arena.account::<Rules>().await;
    let looks = Crowd::default();
    let operator = arena.start::<Objects>(account.clone(), looks.clone(), |controller| controller.resync(NEVER));
    let mark = arena.mark().await;
    all_there(&arena, owners, "counts").await;
    let requests = arena.settled(mark).await;
    let status = times(requests.iter().filter(|request| request.subresource == "status"));
    assert!(status.values().all(|times| *times <= 3), "{status:#?}");
    let before = looks.all();
    let mark = arena.mark().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!((looks.all(), arena.since(mark).await.len()), (before, 0), "nobody wakes himself");
    operator.stop().await;

    // Nothing but times differs, and everybody is looked at often: it is said once after the start, and not again soon.
    all_there(&arena, owners, "rests").await;
    let operator = arena.start::<Objects>(account, looks.clone(), |controller| controller.resync(OFTEN));
    arena.settled(arena.mark().await).await;
    let (before, mark) = (looks.all(), arena.mark().await);
    eventually("ten looks at each", || async {
        if looks.all() >= before + 10 * owners { Ok(()) } else { Err(looks.all() - before) }
    })
    .await;
    let requests = arena.since(mark).await;
    assert!(requests.is_empty(), "{:#?}", times(&requests));
    operator.stop().await;
    assert_eq!(arena.refused().await, [""; 0]);
}
