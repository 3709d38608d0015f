//! The smallest operator, as its reader has it.

use crate::rbac::scenario::Play;
use e2e_tests::hello::{Greeter, Objects, OperatorRules};
use e2e_tests::{Arena, eventually};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::{Value, json};

fn greeter(name: &str, greeting: &str) -> Value {
    json!({
        "apiVersion": "hello.example/v1", "kind": "Greeter",
        "metadata": { "name": name }, "spec": { "greeting": greeting },
    })
}

#[tokio::test]
async fn a_greeter_gets_its_page_and_its_server() {
    let arena = Arena::new("hello").await;
    arena.install::<Greeter>().await;
    let _operator = arena.operator::<Objects, OperatorRules>(()).await;
    arena.apply(&greeter("world", "hello")).await;
    arena.ready::<Objects>("world").await;
    let (pages, servers) = (arena.api::<ConfigMap>(), arena.api::<Deployment>());
    assert_eq!(pages.get("world").await.unwrap().data.unwrap()["index.html"], "hello");
    assert_eq!(servers.get("world").await.unwrap().status.unwrap().ready_replicas, Some(1));
    arena.apply(&greeter("world", "good morning")).await;
    eventually("new page", || async {
        let page = pages.get("world").await.unwrap().data.unwrap();
        if page["index.html"] == "good morning" { Ok(()) } else { Err(page) }
    })
    .await;
    assert_eq!(arena.refused().await, [""; 0]);
}

/// Least privilege, proved: it is refused nothing, and holds nothing that it does not use.
#[tokio::test]
async fn b_19_a_greeters_operator_holds_what_it_uses_and_nothing_else() {
    let arena = Arena::new("hello-least").await;
    arena.install::<Greeter>().await;
    let play = Play {
        good: greeter("world", "hello"),
        // A ConfigMap holds at most 1 MiB.
        bad: greeter("world", &"a".repeat(1024 * 1024 + 1)),
        blocked: greeter("blocked", "hello"),
        wanted: |_| "blocked",
        late: &["deployments"],
    };
    play.prepare::<Objects>(&arena).await;
    let _operator = arena.operator::<Objects, OperatorRules>(()).await;
    play.run::<Objects>(&arena).await;
    let privilege = arena.plane.privilege::<OperatorRules>(&arena.user()).await.unwrap();
    assert!(privilege.is_least(), "{privilege}");
}
