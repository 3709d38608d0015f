//! What is declared, and what that looks like in the cluster.

use e2e_tests::{Dice, Widget};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

pub(super) const WIDGET: KindId = KindId::of::<Widget>();
pub(super) const PAGE: KindId = KindId::of::<ConfigMap>();
pub(super) const WORKERS: KindId = KindId::of::<Deployment>();
pub(super) const FRONT: KindId = KindId::of::<Service>();
pub(super) const KINDS: [KindId; 3] = [PAGE, WORKERS, FRONT];

/// The name of the owner, and of everything that it owns.
pub(super) const NAME: &str = "w1";
/// The name under which the operator applies.
pub(super) const OURS: &str = "widget-operator";

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(metadata.labels["ours"] = "1")]
pub(super) struct Page {
    #[at(data["a"])]
    a: String,
    #[at(data["b"])]
    b: Option<String>,
}

#[derive(OwnedResource)]
#[owned(Deployment)]
#[set(spec { replicas = 0, template.spec.containers["main"].env["LEVEL"].value = "info" })]
pub(super) struct Workers {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
    #[at(spec.template.spec.containers["main"].image)]
    image: String,
    #[at(spec.template.metadata.annotations["b"])]
    b: Option<String>,
}

#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec { selector["app"] = "{owner}", ports[80].name = "http" })]
pub(super) struct Front {
    #[at(metadata.annotations["b"])]
    b: Option<String>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
pub(super) struct Objects {
    page: Page,
    workers: Workers,
    front: Front,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub(super) struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        let (a, b): (String, Option<String>) = (owner.says("a")?, owner.says("b")?);
        let labels = BTreeMap::from([("app".to_owned(), NAME.to_owned())]);
        Ok(Self {
            page: Page { a: a.clone(), b: b.clone() },
            workers: Workers { labels, image: format!("main:{a}"), b: b.clone() },
            front: Front { b },
        })
    }
}

/// What a user may want next.
pub(super) fn wish(dice: &mut Dice) -> Value {
    let a = dice.below(1000).to_string();
    if dice.percent(50) { json!({ "a": a, "b": dice.below(1000).to_string() }) } else { json!({ "a": a }) }
}

/// What has to be where when an owner says this; null where nothing has to be.
pub(super) fn declared(spec: &Value) -> Vec<(KindId, &'static str, Value)> {
    let (a, b) = (&spec["a"], &spec["b"]);
    vec![
        (PAGE, "/metadata/labels/ours", json!("1")),
        (PAGE, "/data/a", a.clone()),
        (PAGE, "/data/b", b.clone()),
        (WORKERS, "/spec/replicas", json!(0)),
        (WORKERS, "/spec/template/metadata/labels/app", json!(NAME)),
        (WORKERS, "/spec/template/metadata/annotations/b", b.clone()),
        (
            WORKERS,
            "/spec/template/spec/containers/name=main/image",
            json!(format!("main:{}", a.as_str().unwrap_or_default())),
        ),
        (WORKERS, "/spec/template/spec/containers/name=main/env/name=LEVEL/value", json!("info")),
        (FRONT, "/metadata/annotations/b", b.clone()),
        // Whoever writes it writes all of it.
        (FRONT, "/spec/selector", json!({ "app": NAME })),
        (FRONT, "/spec/ports/port=80/name", json!("http")),
    ]
}

/// What another may write there: over what is declared, or beside it.
pub(super) fn foreign(dice: &mut Dice, kind: &KindId, number: usize) -> (String, Value) {
    let text = json!(format!("theirs-{number}"));
    if dice.percent(50) {
        let over: Vec<_> = declared(&json!({})).into_iter().filter(|(of, ..)| of == kind).collect();
        let (_, path, _) = dice.one(&over);
        let value = match *path {
            "/spec/replicas" => json!(1),
            "/spec/selector" => json!({ "app": text }),
            _ => text,
        };
        // The selector of a Deployment has to fit, and can't be changed.
        let path = if path.ends_with("labels/app") { "/metadata/labels/app" } else { path };
        return (path.to_owned(), value);
    }
    let beside = match *dice.one(&["label", "annotation", "special", "special"]) {
        "label" => format!("/metadata/labels/theirs-{number}"),
        "annotation" => format!("/metadata/annotations/theirs-{number}"),
        _ if *kind == PAGE => format!("/data/theirs-{number}"),
        _ if *kind == WORKERS => {
            let pod = "/spec/template";
            match dice.below(4) {
                0 => format!("{pod}/metadata/annotations/theirs-{number}"),
                1 => format!("{pod}/spec/containers/name=main/env/name=THEIRS{number}/value"),
                2 => format!("{pod}/spec/containers/name=theirs-{number}/image"),
                _ => return ("/spec/minReadySeconds".to_owned(), json!(1 + dice.below(100))),
            }
        }
        _ => match dice.below(2) {
            0 => format!("/spec/ports/port={}/name", 9000 + number),
            _ => return ("/spec/publishNotReadyAddresses".to_owned(), json!(true)),
        },
    };
    (beside, text)
}

/// Whether a place is one that is, or may be, declared.
pub(super) fn is_ours(kind: &KindId, path: &str) -> bool {
    declared(&json!({})).iter().any(|(of, ours, _)| of == kind && *ours == path)
}

/// The key of an entry, in a step like `name=main`.
fn key(step: &str) -> Option<(&str, Value)> {
    let (key, value) = step.split_once('=')?;
    Some((key, value.parse::<u32>().map_or_else(|_| json!(value), |number| json!(number))))
}

/// What is at a place of an object; entries of lists are named by their keys.
pub(super) fn at(object: &Value, path: &str) -> Value {
    let mut here = object;
    for step in path.split('/').skip(1) {
        let below = match key(step) {
            Some((key, value)) => here.as_array().and_then(|list| list.iter().find(|entry| entry[key] == value)),
            None => here.get(step),
        };
        let Some(below) = below else { return Value::Null };
        here = below;
    }
    here.clone()
}

/// Puts a value at a place of an object, and makes the way to it.
pub(super) fn put(object: &mut Value, path: &str, value: Value) {
    let mut here = object;
    for step in path.split('/').skip(1) {
        here = if let Some((key, value)) = key(step) {
            if !here.is_array() {
                *here = json!([]);
            }
            let list = here.as_array_mut().unwrap();
            let found = list.iter().position(|entry| entry[key] == value).unwrap_or_else(|| {
                list.push(json!({ key: value }));
                list.len() - 1
            });
            &mut list[found]
        } else {
            if !here.is_object() {
                *here = Value::Object(Map::new());
            }
            here.as_object_mut().unwrap().entry(step).or_insert(Value::Null)
        };
    }
    *here = value;
}
