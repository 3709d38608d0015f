//! The smallest operator, as its reader has it.

use e2e_tests::hello::{Greeter, Objects, OperatorRules};
use e2e_tests::{Arena, eventually};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;

#[tokio::test]
async fn a_greeter_gets_its_page_and_its_server() {
    let arena = Arena::new("hello").await;
    arena.install::<Greeter>().await;
    let _operator = arena.operator::<Objects, OperatorRules>(()).await;
    let greeter = |greeting: &str| {
        json!({
            "apiVersion": "hello.example/v1", "kind": "Greeter",
            "metadata": { "name": "world" }, "spec": { "greeting": greeting },
        })
    };
    arena.apply(&greeter("hello")).await;
    arena.ready::<Objects>("world").await;
    let (pages, servers) = (arena.api::<ConfigMap>(), arena.api::<Deployment>());
    assert_eq!(pages.get("world").await.unwrap().data.unwrap()["index.html"], "hello");
    assert_eq!(servers.get("world").await.unwrap().status.unwrap().ready_replicas, Some(1));
    arena.apply(&greeter("good morning")).await;
    eventually("new page", || async {
        let page = pages.get("world").await.unwrap().data.unwrap();
        if page["index.html"] == "good morning" { Ok(()) } else { Err(page) }
    })
    .await;
    assert_eq!(arena.refused().await, [""; 0]);
}
