//! Many owners at once.

use super::writes;
use e2e_tests::{Arena, Crowd, NEVER, Widget, between, eventually, times, widget};
use futures::FutureExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{ListParams, Patch, PatchParams};
use serde_json::json;
use std::time::Duration;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page {
    #[at(data["k"])]
    value: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    page: Page,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    /// Those that are being declared.
    type Settings = Crowd;
    fn declare(owner: &Widget, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let _one = inputs.settings.join();
        // Work that gives nothing else a turn.
        std::thread::sleep(Duration::from_millis(5));
        Ok(Self { page: Page { value: owner.says("value")? } })
    }
}

const OWNERS: usize = 60;
const AT_ONCE: usize = 3;

async fn all_ready(arena: &Arena, value: &str) {
    let config = KindId::of::<ConfigMap>();
    eventually(&format!("{OWNERS} pages of {value}"), || async {
        let pages = arena.any(&config).list(&ListParams::default()).await.unwrap();
        let ready = pages.items.iter().filter(|page| page.data["data"]["k"] == value).count();
        if ready == OWNERS { Ok(()) } else { Err(ready) }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn d_11_no_more_owners_than_said_are_worked_on_at_once() {
    let arena = Arena::new("d-11").await;
    let widgets = arena.any(&KindId::of::<Widget>());
    let say = |value: &'static str| {
        let widgets = widgets.clone();
        async move {
            let all = (0..OWNERS).map(|i| {
                let (widgets, name) = (&widgets, format!("w{i}"));
                async move {
                    let params = PatchParams::apply("admin").force();
                    widgets
                        .patch(&name, &params, &Patch::Apply(widget(&name, &json!({ "value": value }))))
                        .await
                        .unwrap()
                }
            });
            futures::future::join_all(all).await;
        }
    };
    say("1").await;
    let account = arena.account::<Rules>().await;
    // At the start, after it, and without a change: never more than so many at once, and as many as that.
    let (declared, sent) = (Crowd::default(), Crowd::default());
    let counted = sent.clone();
    let client = between(account.clone(), move |method, _| {
        let one = (*method == http::Method::PATCH).then(|| counted.join());
        async move {
            if one.is_some() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            one
        }
        .boxed()
    });
    let operator =
        arena.start::<Objects>(client, declared.clone(), |controller| controller.concurrency(AT_ONCE).resync(NEVER));
    let mark = arena.mark().await;
    all_ready(&arena, "1").await;
    say("2").await;
    all_ready(&arena, "2").await;
    let requests = arena.settled(mark).await;
    assert_eq!(declared.most(), AT_ONCE);
    assert_eq!(sent.most(), AT_ONCE, "one owner has one request at a time here");
    assert!(times(&writes(requests)).values().all(|times| *times == 1 || *times == 2));
    operator.stop().await;

    // Started again with nothing to do: everyone is looked at, once, and nothing is written.
    let (declared, mark) = (Crowd::default(), arena.mark().await);
    let _operator =
        arena.start::<Objects>(account, declared.clone(), |controller| controller.concurrency(AT_ONCE).resync(NEVER));
    eventually("a look at everyone", || async { if declared.all() >= OWNERS { Ok(()) } else { Err(declared.all()) } })
        .await;
    let requests = writes(arena.settled(mark).await);
    assert!(requests.is_empty(), "{requests:#?}");
    assert_eq!((declared.all(), declared.most()), (OWNERS, AT_ONCE));
    assert_eq!(arena.failed().await, [""; 0]);
}
