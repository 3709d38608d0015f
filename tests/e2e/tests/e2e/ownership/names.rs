//! Names at the limits of their kinds, on a server that has the last word.

use super::{WIDGET, not_ready, writes};
use e2e_tests::{Arena, NEVER, Widget, widget};
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::batch::v1::{CronJob, Job};
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use serde_json::json;
use urutau_core::{Declare, Inputs, Invalid, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(StatefulSet, ready)]
#[set(spec {
    service_name = "any",
    selector.match_labels["app"] = "any",
    template { metadata.labels["app"] = "any", spec.containers["main"].image = "main:1" },
})]
struct Stores;

#[derive(OwnedResource)]
#[owned(Service, ready)]
#[set(spec { selector["app"] = "any", ports[80].name = "http" })]
struct Front;

#[derive(OwnedResource)]
#[owned(Job, ready)]
#[set(spec.template.spec { restart_policy = "Never", containers["main"].image = "main:1" })]
struct Task;

#[derive(OwnedResource)]
#[owned(CronJob)]
#[set(spec {
    schedule = "0 0 1 1 *",
    job_template.spec.template.spec { restart_policy = "Never", containers["main"].image = "main:1" },
})]
struct Nightly;

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Page;

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    stores: Option<Stores>,
    front: Option<Front>,
    task: Option<Task>,
    nightly: Option<Nightly>,
    page: Option<Page>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let kind: String = owner.says("kind")?;
        Ok(Self {
            stores: (kind == "StatefulSet").then_some(Stores),
            front: (kind == "Service").then_some(Front),
            task: (kind == "Job").then_some(Task),
            nightly: (kind == "CronJob").then_some(Nightly),
            page: (kind == "ConfigMap").then_some(Page),
        })
    }
}

#[tokio::test]
async fn c_08_the_longest_names_work_and_longer_ones_are_refused_with_the_limit() {
    let arena = Arena::new("c-08").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    let limits = [("StatefulSet", 52), ("Service", 63), ("Job", 63), ("CronJob", 52), ("ConfigMap", 253)];
    // Names that are the same but for their ends, of the greatest length, and of one more.
    let name = |kind: &str, length: usize, last: char| {
        let start = format!("{}-{last}-", kind.to_lowercase());
        format!("{start}{}{last}", "a".repeat(length - start.len() - 1))
    };
    for (kind, most) in limits {
        for last in ['x', 'y'] {
            arena.apply(&widget(&name(kind, most, last), &json!({ "kind": kind }))).await;
        }
        if most < 253 {
            arena.apply(&widget(&name(kind, most + 1, 'z'), &json!({ "kind": kind }))).await;
        }
    }
    for (kind, most) in limits {
        for last in ['x', 'y'] {
            arena.ready::<Objects>(&name(kind, most, last)).await;
        }
        if most < 253 {
            let words = [&*format!("{}", most + 1), &*most.to_string(), kind];
            not_ready(&arena, &name(kind, most + 1, 'z'), "Invalid", &words).await;
        }
    }
    assert_eq!(writes(arena.requests().await).len(), 2 * limits.len(), "what can't be is not tried");
    // A name that can be the owner's and not a Service's.
    arena.apply(&widget("0w.1", &json!({ "kind": "Service" }))).await;
    not_ready(&arena, "0w.1", "Invalid", &["0w.1", "letter"]).await;
    assert!(arena.uid(&WIDGET, "0w.1").await.is_some());
    assert_eq!(arena.failed().await, [""; 0]);
}
