//! Server-Side Apply as operators meet it: what is there already is not written again, and what is not is put right.
//! Tests are named after the cases they show.

mod broken;
mod claims;
mod defaults;
mod drift;
mod empty;
mod gadgets;
mod holes;
mod legacy;
mod letters;
mod ports;
mod quantities;
mod secrets;
mod variables;
mod versions;
mod whole;
pub(crate) mod zoo;

use e2e_tests::{Arena, quiet};
use std::collections::BTreeMap;
use std::time::Duration;
use urutau_core::control_plane::{AuditMark, Request};
use urutau_core::{KindId, OwnedSet};

type Labels = BTreeMap<String, String>;

/// A label that tells the Pods of an owner.
fn pods(owner: &e2e_tests::Widget) -> Labels {
    Labels::from([("app".to_owned(), owner.metadata.name.clone().unwrap_or_default())])
}

/// The writes among requests, but for those of status and events.
fn writes(requests: Vec<Request>) -> Vec<Request> {
    let counts = |request: &Request| {
        let told = request.subresource == "status" || request.resource == "events";
        !told && !matches!(request.verb.as_str(), "get" | "list" | "watch")
    };
    requests.into_iter().filter(counts).collect()
}

/// Waits until an owner is ready and nothing more is asked for. Gives what was, since a mark.
async fn at_rest<S: OwnedSet>(arena: &Arena, owner: &str, mark: AuditMark) -> Vec<Request> {
    arena.ready::<S>(owner).await;
    arena.settled(mark).await
}

/// Sees that over many looks at everything nothing is asked for, and none of these objects moves.
async fn stays_silent(arena: &Arena, kinds: &[KindId]) {
    let before = arena.at_rest(kinds).await;
    let mark = arena.mark().await;
    quiet("a request", Duration::from_millis(1600), || arena.since(mark)).await;
    assert_eq!(arena.versions(kinds).await, before);
}

#[tokio::test]
async fn the_kinds_of_these_tests_are_taken_without_a_warning() {
    let arena = Arena::new("kinds").await;
    arena.install::<e2e_tests::Widget>().await;
    arena.install::<e2e_tests::Gadget>().await;
    arena.install::<e2e_tests::Fleet>().await;
}
