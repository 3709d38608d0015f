//! Jobs, whose template can't change.

use super::{not_ready, stays_silent, writes};
use e2e_tests::{Arena, OFTEN, Widget, eventually, widget};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::Pod;
use kube::api::ListParams;
use serde_json::json;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

/// Named after what it runs: another image is another Job.
#[derive(OwnedResource)]
#[owned(Job, name = "{owner}-{version}")]
#[set(spec { suspend = false, template.spec { restart_policy = "Never", containers["main"].image = "main:{version}" } })]
struct Migration {
    version: String,
}

#[derive(OwnedResource)]
#[owned(Job, name = "{owner}-anew", apply = recreate)]
#[set(spec.template.spec { restart_policy = "Never", containers["main"].image = "main:{version}" })]
struct Anew {
    version: String,
}

#[derive(OwnedResource)]
#[owned(Job, name = "{owner}-left")]
#[set(spec.template.spec { restart_policy = "Never", containers["main"].image = "main:{version}" })]
struct Left {
    version: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    migration: Migration,
    anew: Anew,
    left: Option<Left>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let version: String = owner.says("version")?;
        Ok(Self {
            migration: Migration { version: version.clone() },
            anew: Anew { version: version.clone() },
            left: owner.says::<bool>("left")?.then_some(Left { version }),
        })
    }
}

const JOB: KindId = KindId::of::<Job>();
const IMAGE: &str = "/spec/template/spec/containers/0/image";

async fn complete(arena: &Arena, name: &str) {
    arena.becomes(&JOB, name, "/status/succeeded", &json!(1)).await;
}

#[tokio::test]
async fn c_13_another_image_is_another_job_or_the_same_made_anew() {
    let arena = Arena::new("c-13").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let mut uids = Vec::new();
    for (version, wait) in [("v1", true), ("v2", false), ("v3", true)] {
        let mark = arena.mark().await;
        arena.apply(&widget("w1", &json!({ "version": version }))).await;
        arena.becomes(&JOB, "w1-anew", IMAGE, &json!(format!("main:{version}"))).await;
        arena.becomes(&JOB, &format!("w1-{version}"), IMAGE, &json!(format!("main:{version}"))).await;
        arena.ready::<Objects>("w1").await;
        let uid = arena.uid(&JOB, "w1-anew").await;
        assert!(!uids.contains(&uid));
        uids.push(uid);
        if wait {
            complete(&arena, &format!("w1-{version}")).await;
            complete(&arena, "w1-anew").await;
        }
        eventually("two Jobs and no Pods of others", || async {
            let jobs = arena.api::<Job>().list(&ListParams::default()).await.unwrap();
            let uids: Vec<_> = jobs.items.iter().filter_map(|job| job.metadata.uid.clone()).collect();
            let pods = arena.api::<Pod>().list(&ListParams::default()).await.unwrap();
            let owner =
                |pod: &Pod| pod.metadata.owner_references.iter().flatten().map(|owner| owner.uid.clone()).next();
            let left = pods.items.iter().filter(|pod| owner(pod).is_none_or(|owner| !uids.contains(&owner))).count();
            if (uids.len(), left) == (2, 0) { Ok(()) } else { Err((uids, left)) }
        })
        .await;
        let requests = arena.settled(mark).await;
        let most = if uids.len() == 1 { 2 } else { 5 };
        assert_eq!(writes(requests).len(), most, "a new one, the old one goes, and one is refused, deleted and made");
        // What the API server adds to selector and template is no difference.
        if wait {
            stays_silent(&arena).await;
        }
    }
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn c_13_a_job_that_is_to_stay_is_left_and_named() {
    let arena = Arena::new("c-13-left").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.apply(&widget("w1", &json!({ "version": "v1", "left": true }))).await;
    arena.ready::<Objects>("w1").await;
    let uid = arena.uid(&JOB, "w1-left").await;
    arena.apply(&widget("w1", &json!({ "version": "v2", "left": true }))).await;
    not_ready(&arena, "w1", "ImmutableFieldChange", &["Job `w1-left`", "spec.template"]).await;
    arena.becomes(&JOB, "w1-v2", IMAGE, &json!("main:v2")).await;
    assert_eq!(arena.uid(&JOB, "w1-left").await, uid);
    assert_eq!(arena.refused().await, [""; 0]);
}
