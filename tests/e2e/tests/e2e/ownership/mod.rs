//! Whose an object is: what is ours goes with its owner, and what is not is never touched. Tests are named after the
//! cases they show.

mod collision;
mod crowd;
mod deletion;
mod fleet;
mod immutable;
mod jobs;
mod names;
mod policy;
mod prune;
mod selector;
mod services;
mod shared;

use e2e_tests::{Arena, condition_of, eventually, quiet};
use kube::api::DynamicObject;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use urutau_core::KindId;
use urutau_core::control_plane::Request;

type Labels = BTreeMap<String, String>;

const WIDGET: KindId = KindId::of::<e2e_tests::Widget>();

/// The writes among requests, but for those of status and events.
fn writes(requests: Vec<Request>) -> Vec<Request> {
    let counts = |request: &Request| {
        let told = request.subresource == "status" || request.resource == "events";
        !told && !matches!(request.verb.as_str(), "get" | "list" | "watch")
    };
    requests.into_iter().filter(counts).collect()
}

/// Waits until `Ready` is false for this reason with all of these words in its message.
async fn not_ready(arena: &Arena, name: &str, reason: &str, words: &[&str]) -> String {
    eventually(&format!("Ready=False of {name} for {reason} with {words:?}"), || async {
        let object = arena.condition(&WIDGET, name, "Ready", "False").await;
        let ready = condition_of(&object, "Ready");
        let message = ready["message"].as_str().unwrap_or_default().to_owned();
        let fits = ready["reason"] == reason && words.iter().all(|word| message.contains(word));
        if fits { Ok(message) } else { Err(ready) }
    })
    .await
}

/// Sees that over many looks at everything nothing is asked for.
async fn stays_silent(arena: &Arena) {
    let mark = arena.mark().await;
    quiet("a request", Duration::from_millis(1600), || arena.since(mark)).await;
}

/// A reference to an owner, as the controller or not.
fn reference(owner: &DynamicObject, controller: bool) -> Value {
    let types = owner.types.clone().unwrap_or_default();
    json!({
        "apiVersion": types.api_version, "kind": types.kind, "name": owner.metadata.name, "uid": owner.metadata.uid,
        "controller": controller,
    })
}
