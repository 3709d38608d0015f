//! Letters that YAML reads otherwise than JSON: what is applied is read as YAML.

use super::stays_silent;
use e2e_tests::{Arena, OFTEN, Widget, condition_of, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Texts {
    #[at(data)]
    texts: BTreeMap<String, String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    texts: Texts,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        match owner.says::<String>("refused")? {
            refused if refused.is_empty() => Ok(Self { texts: Texts { texts: owner.says("texts")? } }),
            refused => Err(Invalid::new("spec.refused", format!("`{refused}` is refused"))),
        }
    }
}

/// Letters, and what is around them.
fn texts() -> BTreeMap<String, String> {
    let letters = [
        0x01, 0x09, 0x0a, 0x0b, 0x0d, 0x1b, 0x20, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xad, 0x200b, 0x2028, 0x2029, 0xe000,
        0xfdd0, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1_f4a7, 0x1_fffe, 0x10_ffff,
    ];
    let around = |letter: u32| {
        let c = char::from_u32(letter).unwrap();
        (format!("c{letter:x}"), format!("{c}a  {c}  b{c}{c}c {c}--- d{c}... e: {c}# f\\{c}\"{c}"))
    };
    letters.map(around).into()
}

/// An owner to be created, in JSON that is read as such: applied, its own letters would be read as YAML.
fn owner(name: &str, spec: &Value) -> Widget {
    serde_json::from_value(widget(name, spec)).unwrap()
}

#[tokio::test]
async fn every_letter_arrives_as_it_was_declared() {
    let arena = Arena::new("letters").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    arena.create(&owner("w1", &json!({ "texts": texts(), "refused": "" }))).await;
    arena.ready::<Objects>("w1").await;
    let made = arena.api::<ConfigMap>().get("w1").await.unwrap();
    assert_eq!(made.data.unwrap(), texts());
    stays_silent(&arena, &[KindId::of::<ConfigMap>()]).await;
    assert_eq!(arena.failed().await, [""; 0]);
}

#[tokio::test]
async fn every_letter_arrives_in_the_status() {
    let arena = Arena::new("letters-status").await;
    let _operator = arena.looking::<Objects, Rules>(OFTEN).await;
    for (name, text) in texts() {
        let text = text.trim_matches(char::is_whitespace);
        arena.create(&owner(&name, &json!({ "texts": {}, "refused": text }))).await;
        let owner = arena.condition(&KindId::of::<Widget>(), &name, "Ready", "False").await;
        let ready = condition_of(&owner, "Ready");
        assert_eq!(ready["reason"], "Invalid", "{name}");
        let message = ready["message"].as_str().unwrap();
        assert!(message.contains(text), "{name}: {message:?} {text:?}");
    }
    assert_eq!(arena.failed().await, [""; 0]);
}
