//! Secrets whose content is said as text.

use super::{at_rest, stays_silent, writes};
use e2e_tests::{Arena, MANAGER, OFTEN, Widget, condition_of, eventually, widget};
use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::events::v1::Event;
use kube::api::ListParams;
use serde_json::json;
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(Secret)]
struct Hidden {
    #[at(string_data)]
    text: BTreeMap<String, String>,
    #[at(data)]
    bytes: BTreeMap<String, ByteString>,
    #[at(immutable)]
    immutable: Option<bool>,
}

#[derive(OwnedResource)]
#[owned(Secret, name = "{owner}-fixed")]
#[set(immutable = true)]
struct Fixed {
    #[at(string_data)]
    text: BTreeMap<String, String>,
}

#[derive(OwnedResource)]
#[owned(Secret, name = "{owner}-renewed", apply = recreate)]
#[set(immutable = true)]
struct Renewed {
    #[at(string_data)]
    text: BTreeMap<String, String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    hidden: Hidden,
    fixed: Option<Fixed>,
    renewed: Option<Renewed>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self {
            hidden: Hidden {
                text: owner.says("text")?,
                bytes: owner.says("bytes")?,
                immutable: owner.says("immutable")?,
            },
            fixed: owner.says::<Option<_>>("fixed")?.map(|text| Fixed { text }),
            renewed: owner.says::<Option<_>>("renewed")?.map(|text| Renewed { text }),
        })
    }
}

const SECRET: KindId = KindId::of::<Secret>();

/// What a Secret holds, as text.
async fn held(arena: &Arena, name: &str) -> BTreeMap<String, String> {
    let secret = arena.api::<Secret>().get(name).await.unwrap();
    assert!(secret.string_data.is_none());
    let text = |bytes: ByteString| String::from_utf8(bytes.0).unwrap();
    secret.data.unwrap_or_default().into_iter().map(|(key, bytes)| (key, text(bytes))).collect()
}

fn texts(texts: &[(&str, &str)]) -> BTreeMap<String, String> {
    texts.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// Nothing that others can read tells of what Secrets hold.
async fn tells_nothing(arena: &Arena, hidden: &[&str]) {
    let events = arena.api::<Event>().list(&ListParams::default()).await.unwrap();
    let status = arena.at(&KindId::of::<Widget>(), "w1", "/status").await;
    let told = format!("{}{status}", serde_json::to_string(&events.items).unwrap());
    for text in hidden {
        let bytes = serde_json::to_string(&ByteString(text.as_bytes().to_vec())).unwrap();
        assert!(!told.contains(text) && !told.contains(bytes.trim_matches('"')), "{told}");
    }
}

#[tokio::test]
async fn a_12_a_key_that_is_no_longer_said_goes() {
    let arena = Arena::new("a-12").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let steps: &[&[(&str, &str)]] = &[
        &[("a", "x"), ("b", "y")],
        &[("a", "x")],
        &[("a", "x"), ("b", "y")],
        &[("a", "x"), ("c", "y")],
        &[("a", "z"), ("c", "y")],
        &[("d", "z")],
        &[],
        &[("a", "x")],
    ];
    let mark = arena.mark().await;
    for step in steps {
        arena.apply(&widget("w1", &json!({ "text": texts(step) }))).await;
        arena.ready::<Objects>("w1").await;
        assert_eq!(held(&arena, "w1").await, texts(step));
    }
    assert_eq!(writes(arena.settled(mark).await).len(), steps.len());
    stays_silent(&arena, &[SECRET]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_13_a_secret_that_is_said_as_text_is_in_sync() {
    let arena = Arena::new("a-13").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let text = [("umlaut", "größer 🦤"), ("line", "a\nb\n"), ("empty", ""), ("both", "text-wins")];
    let bytes = BTreeMap::from([
        ("both".to_owned(), ByteString(b"bytes-lose".to_vec())),
        ("bytes".to_owned(), ByteString(b"only bytes".to_vec())),
    ]);
    arena.apply(&widget("w1", &json!({ "text": texts(&text), "bytes": bytes }))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    let mut whole = texts(&text);
    whole.insert("bytes".to_owned(), "only bytes".to_owned());
    assert_eq!(held(&arena, "w1").await, whole);
    stays_silent(&arena, &[SECRET]).await;

    let mark = arena.mark().await;
    let edits = [("replace", "umlaut"), ("replace", "empty"), ("remove", "both"), ("replace", "bytes")];
    for (op, key) in edits {
        arena.next_second().await;
        arena.edit(MANAGER, &SECRET, "w1", op, &format!("/data/{key}"), json!("dGhlaXJz")).await;
        eventually("the same content", || async {
            let now = held(&arena, "w1").await;
            if now == whole { Ok(()) } else { Err(now) }
        })
        .await;
    }
    assert_eq!(writes(arena.settled(mark).await).len(), edits.len());
    // What others add is theirs.
    let mark = arena.mark().await;
    arena.edit(MANAGER, &SECRET, "w1", "add", "/data/foreign", json!("dGhlaXJz")).await;
    assert!(writes(arena.settled(mark).await).is_empty());
    tells_nothing(&arena, &["größer", "text-wins", "only bytes"]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn a_13_an_immutable_secret_is_left_or_made_anew_as_is_said() {
    let arena = Arena::new("a-13-fixed").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    let spec = |fixed: &str, renewed: &str| json!({ "text": { "a": renewed }, "fixed": { "key": fixed }, "renewed": { "key": renewed } });
    arena.apply(&widget("w1", &spec("first-one", "first-one"))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    stays_silent(&arena, &[SECRET]).await;
    let (fixed, renewed) = (arena.uid(&SECRET, "w1-fixed").await, arena.uid(&SECRET, "w1-renewed").await);

    let mark = arena.mark().await;
    arena.apply(&widget("w1", &spec("second-one", "second-one"))).await;
    let owner = arena.condition(&KindId::of::<Widget>(), "w1", "Ready", "False").await;
    let ready = condition_of(&owner, "Ready");
    eventually("the other Secrets", || async {
        let now = (held(&arena, "w1").await, held(&arena, "w1-fixed").await);
        if now == (texts(&[("a", "second-one")]), texts(&[("key", "first-one")])) { Ok(()) } else { Err(now) }
    })
    .await;
    eventually("a new Secret", || async {
        let now = arena.uid(&SECRET, "w1-renewed").await;
        if now.is_some() && now != renewed { Ok(()) } else { Err(now) }
    })
    .await;
    assert_eq!(held(&arena, "w1-renewed").await, texts(&[("key", "second-one")]));
    assert_eq!(arena.uid(&SECRET, "w1-fixed").await, fixed);
    let owner = arena.condition(&KindId::of::<Widget>(), "w1", "Ready", "False").await;
    assert_eq!(condition_of(&owner, "Ready")["reason"], "ImmutableFieldChange", "{ready} {:#?}", owner.data);
    let message = condition_of(&owner, "Ready")["message"].to_string();
    assert!(message.contains("w1-fixed") && message.contains("data"), "{message}");
    let tries = writes(arena.since(mark).await).into_iter().filter(|request| request.name == "w1-fixed").count();
    assert!((1..=4).contains(&tries), "{tries} tries in a few seconds");
    tells_nothing(&arena, &["first-one", "second-one"]).await;

    arena.apply(&widget("w1", &spec("first-one", "second-one"))).await;
    at_rest::<Objects>(&arena, "w1", arena.mark().await).await;
    stays_silent(&arena, &[SECRET]).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
