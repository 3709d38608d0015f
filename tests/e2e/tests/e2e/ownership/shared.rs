//! Two controllers in one process that own objects of one kind.

use e2e_tests::hello::{self, Greeter};
use e2e_tests::{Arena, Widget, eventually, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::CustomResourceExt as _;
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, OwnedResource, OwnedSet, RbacRules, RuleSet as _, Watches};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data)]
    data: BTreeMap<String, String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}")]
struct Objects {
    config: Config,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config { data: BTreeMap::from([("text".to_owned(), owner.says("text")?)]) } })
    }
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

/// How many watches of `ConfigMap`s the API server serves.
async fn watched(arena: &Arena) -> usize {
    let request = http::Request::get("/metrics").body(Vec::new()).unwrap();
    let metrics = arena.admin.request_text(request).await.unwrap();
    let of_maps = metrics.lines().filter(|line| {
        line.starts_with("apiserver_longrunning_requests{")
            && line.contains("resource=\"configmaps\"")
            && line.contains("scope=\"namespace\"")
            && line.contains("verb=\"WATCH\"")
    });
    of_maps.filter_map(|line| line.rsplit_once(' ')?.1.parse::<usize>().ok()).sum()
}

#[tokio::test]
async fn controllers_that_share_their_watches_watch_a_kind_once() {
    let arena = Arena::alone("shared").await;
    arena.plane.install_crds(&[Widget::crd(), Greeter::crd()]).await.unwrap();
    let rules = [Rules::RULES.policy_rules(), hello::OperatorRules::RULES.policy_rules()].concat();
    let client = arena.account_with(rules).await;
    let before = watched(&arena).await;
    let watches = Watches::default();
    let widgets = arena.start::<Objects>(client.clone(), (), |controller| controller.watches(&watches));
    arena.apply(&widget("w1", &json!({ "text": "one" }))).await;
    arena.ready::<Objects>("w1").await;
    let _greeters = arena.start::<hello::Objects>(client, (), |controller| controller.watches(&watches));
    let greeter = |greeting: &str| {
        json!({
            "apiVersion": "hello.example/v1", "kind": "Greeter",
            "metadata": { "name": "world" }, "spec": { "greeting": greeting },
        })
    };
    arena.apply(&greeter("hello")).await;
    arena.ready::<hello::Objects>("world").await;
    assert_eq!(watched(&arena).await, before + 1);
    // Both are told, the earlier one too.
    for (name, key) in [("w1", "text"), ("world", "index.html")] {
        let was = arena.api::<ConfigMap>().get(name).await.unwrap().data.unwrap();
        arena
            .apply_as(
                "somebody",
                &json!({
                    "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": name }, "data": { key: "other" },
                }),
            )
            .await
            .unwrap();
        eventually("repair", || async {
            let now = arena.api::<ConfigMap>().get(name).await.unwrap().data.unwrap();
            if now == was { Ok(()) } else { Err(now) }
        })
        .await;
    }
    // One that ends leaves the other its watch.
    widgets.stop().await;
    arena.apply(&greeter("good morning")).await;
    arena.ready::<hello::Objects>("world").await;
    assert_eq!(watched(&arena).await, before + 1);
    assert_eq!(arena.refused().await, [""; 0]);
}
