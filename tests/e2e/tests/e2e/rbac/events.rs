//! Events: where they go, how they add up, and what happens when nobody may write them.

use e2e_tests::{Arena, NEVER, OFTEN, Widget, condition_of, eventually, widget};
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::Api;
use kube::api::{DynamicObject, ListParams, Patch, PatchParams};
use serde_json::{Value, json};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use urutau_core::rbac::missing;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

const WIDGET: KindId = KindId::of::<Widget>();

#[derive(OwnedResource)]
#[owned(ConfigMap)]
struct Config {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator")]
struct Objects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { config: Config { text: owner.says("text")? } })
    }
}

/// The widgets of a namespace, as the administrator.
struct Widgets {
    api: Api<DynamicObject>,
}

impl Widgets {
    fn of(arena: &Arena, namespace: &str) -> Self {
        Self { api: Api::namespaced_with(arena.admin.clone(), namespace, &WIDGET.api_resource()) }
    }

    async fn says(&self, name: &str, text: Value) {
        let widget = widget(name, &json!({ "text": text }));
        self.api.patch(name, &PatchParams::apply("admin").force(), &Patch::Apply(&widget)).await.unwrap();
    }

    async fn ready(&self, name: &str, status: &str) {
        eventually(&format!("Ready={status} of {name}"), || async {
            let widget = self.api.get(name).await.unwrap();
            let ready = condition_of(&widget, "Ready");
            let fresh = ready["observedGeneration"].as_i64() == widget.metadata.generation;
            if fresh && ready["status"] == status { Ok(()) } else { Err(ready) }
        })
        .await;
    }
}

/// The events about a widget, with the reason and how often it was.
async fn events(arena: &Arena, namespace: &str, name: &str) -> Vec<(String, i32)> {
    let api: Api<Event> = Api::namespaced(arena.admin.clone(), namespace);
    let all = api.list(&ListParams::default()).await.unwrap().items;
    let about =
        all.into_iter().filter(|event| event.regarding.as_ref().is_some_and(|it| it.name.as_deref() == Some(name)));
    about.map(|event| (event.reason.unwrap_or_default(), event.series.map_or(1, |series| series.count))).collect()
}

async fn until(arena: &Arena, namespace: &str, expected: &[(&str, i32)]) {
    let expected: Vec<_> = expected.iter().map(|(reason, times)| ((*reason).to_owned(), *times)).collect();
    eventually(&format!("{expected:?} in {namespace}"), || async {
        let found = events(arena, namespace, "w1").await;
        if found == expected { Ok(()) } else { Err(found) }
    })
    .await;
}

/// Says something that can't be, twice, and sees one event of two times in the namespace of the owner.
async fn complain_twice(arena: &Arena, namespace: &str) {
    let widgets = Widgets::of(arena, namespace);
    for times in 1..=2 {
        widgets.says("w1", json!(["no", "text"])).await;
        widgets.ready("w1", "False").await;
        until(arena, namespace, &[("Invalid", times)]).await;
        widgets.says("w1", json!("good")).await;
        widgets.ready("w1", "True").await;
    }
    let wrote = arena.requests().await.into_iter().filter(|request| request.resource == "events");
    let wrote: Vec<_> = wrote.map(|request| (request.group, request.verb, request.namespace)).collect();
    let all = |verb: &str| ("events.k8s.io".to_owned(), verb.to_owned(), namespace.to_owned());
    assert_eq!(wrote, [all("create"), all("patch")]);
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn b_12_events_are_where_the_owner_is_for_an_operator_of_namespaces() {
    let arena = Arena::new("b-12").await;
    let other = arena.plane.namespace("b-12-owners").await.unwrap();
    let client = arena.account::<Rules>().await;
    arena.also_in::<Rules>(&other).await;
    let _operator = arena.start::<Objects>(client, (), |controller| controller.namespaces([&other]).resync(OFTEN));
    complain_twice(&arena, &other).await;
    assert_eq!(events(&arena, &arena.namespace, "w1").await, []);
}

#[tokio::test]
async fn b_12_events_are_where_the_owner_is_for_an_operator_of_the_whole_cluster() {
    let arena = Arena::new("b-12").await;
    let other = arena.plane.namespace("b-12-owners").await.unwrap();
    // It sees the owners of other tests nowhere but in their namespaces, and holds the same as if it did.
    let client = arena.account::<Rules>().await;
    arena.everywhere::<Rules>().await;
    let _operator = arena.start::<Objects>(client, (), |controller| controller.namespaces([&other]).resync(NEVER));
    complain_twice(&arena, &other).await;
}

/// What is logged, as text.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn with(&self, word: &str) -> Vec<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| line.contains(word)).map(str::to_owned).collect()
    }
}

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn b_12_an_event_that_is_refused_is_logged_once_and_nothing_else_fails() {
    let lines = Lines::default();
    let writer = lines.clone();
    let logs = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    // One thread runs the test and the operator.
    let _logs = tracing::subscriber::set_default(logs);
    let arena = Arena::new("b-12").await;
    let events = PolicyRule {
        api_groups: Some(vec!["events.k8s.io".to_owned()]),
        resources: Some(vec!["events".to_owned()]),
        verbs: vec!["create".to_owned(), "patch".to_owned()],
        ..PolicyRule::default()
    };
    let client = arena.account_with(missing(&[events], &Rules::RULES.policy_rules())).await;
    let mut health = None;
    let _operator = arena.start::<Objects>(client, (), |controller| {
        health = Some(controller.health());
        controller.holds::<Rules>().resync(NEVER)
    });
    let widgets = Widgets::of(&arena, &arena.namespace);
    for text in ["a", "b", "c"] {
        widgets.says("w1", json!([text])).await;
        widgets.ready("w1", "False").await;
        widgets.says("w1", json!(text)).await;
        widgets.ready("w1", "True").await;
    }
    let config = arena.api::<ConfigMap>().get("w1").await.unwrap();
    assert_eq!(config.data.unwrap()["text"], "c");
    eventually("name of the right", || async {
        let missing: Vec<String> = health.as_ref().unwrap().missing().iter().map(ToString::to_string).collect();
        let expected = format!("create, patch on events of events.k8s.io in namespace {}", arena.namespace);
        if missing == [expected] { Ok(()) } else { Err(missing) }
    })
    .await;
    assert_eq!(arena.refused().await.len(), 3, "each is tried");
    let said = lines.with("can't write events");
    assert_eq!(said.len(), 1, "{said:#?}");
    // Once it may, it does, and says so when it may not again.
    arena.account::<Rules>().await;
    widgets.says("w1", json!(["d"])).await;
    until(&arena, &arena.namespace, &[("Invalid", 1)]).await;
}
