//! Objects within objects that go, and leave a part of themselves behind.

use super::{at_rest, stays_silent};
use e2e_tests::{Arena, NEVER, OFTEN, Relic, Widget, condition_of, eventually, widget};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Relic)]
#[set(spec.text = "ours")]
struct Tool {
    #[at(spec.tls.secret_name)]
    secret: Option<String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    tool: Tool,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { tool: Tool { secret: owner.says("secret")? } })
    }
}

const RELIC: KindId = KindId::of::<Relic>();
const WIDGET: KindId = KindId::of::<Widget>();

/// <https://github.com/kubernetes/kubernetes/issues/103011>: what is no longer said is removed leaf by leaf, and what is left
/// of the object around it is refused.
#[tokio::test]
async fn a_21_a_hole_that_others_keep_open_is_named_with_them() {
    let arena = Arena::new("a-21").await;
    let _operator = arena.looking::<Objects, Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({ "secret": "s" }))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    let mode = json!({
        "apiVersion": "acme.example/v1", "kind": "Relic", "metadata": { "name": "w1" },
        "spec": { "tls": { "mode": "strict" } },
    });
    arena.apply_as("tls-tuner", &mode).await.unwrap();
    let (mark, start) = (arena.mark().await, Instant::now());
    arena.apply(&widget("w1", &json!({}))).await;
    let message = eventually("a message that names the field and who holds it", || async {
        let owner = arena.condition(&WIDGET, "w1", "Ready", "False").await;
        let message = condition_of(&owner, "Ready")["message"].as_str().unwrap_or_default().to_owned();
        if message.contains("spec.tls") && message.contains("tls-tuner") { Ok(message) } else { Err(message) }
    })
    .await;
    assert!(!message.contains("widget-operator"), "we are not in our own way: {message}");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let tries = arena.writes_since(mark).await;
    let tries = tries.iter().filter(|request| request.resource == "relics").count();
    let most = 2 + usize::try_from(start.elapsed().as_secs()).unwrap();
    assert!(tries <= most, "{tries} tries in {:?}", start.elapsed());
    assert_eq!(arena.at(&RELIC, "w1", "/spec/tls/mode").await, "strict");

    // Once nobody holds anything of it, it goes.
    let nothing = json!({ "apiVersion": "acme.example/v1", "kind": "Relic", "metadata": { "name": "w1" } });
    arena.apply_as("tls-tuner", &nothing).await.unwrap();
    arena.ready::<Objects>("w1").await;
    assert_eq!(arena.at(&RELIC, "w1", "/spec/tls").await, Value::Null);
}

#[tokio::test]
async fn a_21_a_hole_that_nobody_keeps_open_closes() {
    let arena = Arena::new("a-21-ours").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    for (spec, tls) in [
        (json!({ "secret": "s" }), json!({ "secretName": "s" })),
        (json!({}), Value::Null),
        (json!({ "secret": "t" }), json!({ "secretName": "t" })),
        (json!({}), Value::Null),
    ] {
        arena.apply(&widget("w1", &spec)).await;
        arena.ready::<Objects>("w1").await;
        assert_eq!(arena.at(&RELIC, "w1", "/spec/tls").await, tls);
    }
    stays_silent(&arena, &[RELIC]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}
