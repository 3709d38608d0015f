//! One object: looked at, and written if it is not as it is declared.

use super::super::cluster::Place;
use super::super::core::Core;
use super::super::fault::{Fault, describe};
use super::super::handover;
use super::super::hash;
use super::super::key::Uid;
use super::super::mend::{self, Through};
use super::super::owner::Owner;
use super::super::report::Why;
use super::super::seen::Facts;
use super::super::sync::lock;
use super::super::table::{Look, Target, Trouble};
use super::super::takeover::take_over;
use super::State;
use super::event::{self, Told};
use super::hole;
use super::sent::Sent;
use crate::declare::Declare;
use crate::kind::KindId;
use crate::node::{Apply, Conflict};
use crate::plan::{Content, Entry, Item};
use crate::ready::{Readiness, View};
use crate::status::OwnedRecord;
use k8s_openapi::api::apps::v1::StatefulSet;
use kube::api::PropagationPolicy;
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Instant;
use tokio::sync::OnceCell;

/// How often an object is looked at anew in one pass, when others change it at the same time.
const ATTEMPTS: usize = 4;

/// The entries of one pass.
pub(super) struct Entries<'a, S: Declare> {
    pub(super) core: &'a Core<S>,
    pub(super) owner: &'a Owner,
    pub(super) all: &'a [Entry],
    /// The owner reference of all of them.
    pub(super) reference: Value,
    /// What the owner's status says it owns, once that was asked.
    pub(super) recorded: OnceLock<Vec<OwnedRecord>>,
    /// Whether the owner is still there, once that was asked.
    pub(super) lives: OnceCell<bool>,
    /// Whether it is certain what is declared, so that what is not may go.
    pub(super) certain: bool,
    /// Held by the one that removes what has to be gone before it can come.
    pub(super) room: tokio::sync::Mutex<()>,
}

/// The kind and name of an entry's object.
pub(super) fn of(entry: &Entry) -> Option<(KindId, String)> {
    match &entry.content {
        Content::Object(item) => Some((item.object.kind, item.name.clone())),
        Content::Waiting(_) => None,
    }
}

/// What the answer to an apply says: its metadata, and its readiness where that counts.
type Answer = (Facts, Option<Box<[Readiness]>>);

/// What follows from one attempt.
enum Step {
    End(State),
    LookAgain,
    /// It was deleted, to be made anew, for this reason: at once, or, with a state, when it is gone.
    Removed(String, Option<State>),
}

impl<S: Declare> Entries<'_, S> {
    /// Makes one entry so. `blocker` is an entry before it that does not let it go on: what is as declared already
    /// does not mind.
    pub(super) async fn carry_out(&self, entry: usize, blocker: Option<usize>) -> State {
        let entry = &self.all[entry];
        match &entry.content {
            Content::Waiting(held) => {
                State::Waits(Why::new(held.waiting.reason.as_str(), held.waiting.message.as_str()))
            }
            Content::Object(item) => self.object(entry, item, blocker).await,
        }
    }

    /// Whether the object of an entry is there and ours, as declared or not.
    pub(super) fn is_there(&self, entry: &Entry) -> bool {
        let Content::Object(item) = &entry.content else { return false };
        let table = lock(&self.core.table);
        let namespace = item.namespace.as_deref().unwrap_or_default();
        table
            .kind(&item.object.kind)
            .is_some_and(|kind| table.has(Target { kind, namespace, name: &item.name, owner: &self.owner.key }))
    }

    async fn object(&self, entry: &Entry, item: &Item, blocker: Option<usize>) -> State {
        let kind = &item.object.kind;
        let namespace = item.namespace.as_deref().unwrap_or_default();
        let Some(place) = lock(&self.core.table).kind(kind) else {
            return State::Failed(Fault::Unwatched { kind: kind.to_string(), why: "it is not in the set".to_owned() });
        };
        if !self.owner.key.namespace().is_empty() && namespace != self.owner.key.namespace() {
            let server = "an object outside of its owner's namespace can't have an owner reference".to_owned();
            return State::Failed(Fault::Refused { verb: "apply", object: describe(kind, &item.name), server });
        }
        let target = Target { kind: place, namespace, name: &item.name, owner: &self.owner.key };
        let body = hash::pair(hash::value(&item.body), hash::bytes(self.owner.uid.to_string().as_bytes()));
        let once = item.object.policy.apply == Apply::Once;
        if entry.optional_api
            && let Some(why) = self.core.rights.health.off(kind)
        {
            return State::Off(why);
        }
        let mut removed = None;
        let mut state = None;
        let mut has_room = entry.former.is_empty();
        for _ in 0..ATTEMPTS {
            let look = lock(&self.core.table).look(target, body, once);
            let step = match (look, blocker) {
                (Look::InSync, _) => Step::End(self.done(target, item)),
                (Look::Unwatched(Trouble::Absent), _) if entry.optional_api => {
                    Step::End(State::Off(Why::new("ApiMissing", format!("the API server does not serve {kind}"))))
                }
                (Look::Unwatched(Trouble::Absent), _) => {
                    Step::End(State::Failed(Fault::Absent { kind: kind.to_string() }))
                }
                (Look::Unwatched(Trouble::Other(why)), _) => {
                    Step::End(State::Failed(Fault::Unwatched { kind: kind.to_string(), why }))
                }
                (Look::Kept { uid, version }, _) => self.let_go(target, item, body, &uid, version).await,
                (_, Some(before)) => Step::End(State::After(before)),
                (Look::Taken(fault), None) => Step::End(stopped(fault)),
                (Look::Create, None) if !has_room => {
                    has_room = true;
                    self.make_room(entry, item).await.map_or(Step::LookAgain, Step::End)
                }
                (Look::Create, None) => self.create(target, item, body, once).await,
                (Look::Foreign, None) => self.identify(target, item).await,
                (Look::Write { uid, first }, None) => self.write(target, item, body, once, &uid, first).await,
            };
            match step {
                Step::End(end) => state = Some(end),
                Step::LookAgain => {}
                Step::Removed(why, end) => (removed, state) = (Some(why), end),
            }
            if state.is_some() {
                break;
            }
        }
        if let Some(why) = removed {
            // Only now: nothing comes between the end of the old one and the new one.
            event::publish(self.core, self.owner, &Told::recreated(why)).await;
        }
        state.unwrap_or_else(|| State::Failed(Fault::Raced { object: describe(kind, &item.name) }))
    }

    /// The object is as declared.
    fn done(&self, target: Target<'_>, item: &Item) -> State {
        let Some(check) = item.object.ready else { return State::Done(Readiness::Ready) };
        let readiness = lock(&self.core.table).readiness(target, check);
        State::Done(readiness.unwrap_or_else(|| Readiness::NotReady("it has just been written".to_owned())))
    }

    /// Writes an object that must not be there yet. It is forced, so that only its being there is in the way.
    async fn create(&self, target: Target<'_>, item: &Item, body: u64, once: bool) -> Step {
        if let Err(fault) = self.owner_lives(item).await {
            return self.failed(target, fault);
        }
        let sent = Sent { version: Some("1".to_owned()), ..self.sent(item) };
        lock(&self.core.table).begin(target);
        let answer = self.send(target, item, &sent, true).await;
        match answer {
            Ok((facts, ready)) => {
                tracing::debug!(owner = %self.owner.key, object = describe(&item.object.kind, &item.name), "created");
                self.applied(target, item, (&facts, ready), body, once)
            }
            Err(Fault::Raced { .. }) => self.identify(target, item).await,
            Err(fault) => self.failed(target, fault),
        }
    }

    /// Sees that the owner is there to own an object. Where that was there before, it may be gone because its owner goes,
    /// and that may be seen later.
    async fn owner_lives(&self, item: &Item) -> Result<(), Fault> {
        let kind = &item.object.kind;
        let is_it = |record: &OwnedRecord| {
            record.kind == kind.kind
                && record.group == kind.group
                && record.name == item.name
                && record.namespace == item.namespace
        };
        if !self.recorded.get_or_init(|| self.owner.records()).iter().any(is_it) {
            return Ok(());
        }
        let ask = || self.core.cluster.lives(&self.core.kind, &self.owner.key, &self.owner.uid);
        let lives = *self.lives.get_or_try_init(ask).await?;
        let gone = || Fault::Raced { object: describe(&self.core.kind, self.owner.key.name()) };
        if lives { Ok(()) } else { Err(gone()) }
    }

    /// Writes an object that is there, and this very one.
    async fn write(&self, target: Target<'_>, item: &Item, body: u64, once: bool, uid: &Uid, first: bool) -> Step {
        let policy = &item.object.policy;
        let place = place(target, item);
        let mut took_over = false;
        if first && !policy.takes_over.is_empty() {
            match take_over(&self.core.cluster, place, policy.takes_over).await {
                Ok(any) => took_over = any,
                Err(Fault::Raced { .. }) => return Step::LookAgain,
                Err(fault) => return self.failed(target, fault),
            }
        }
        let mut sent = Sent { uid: Some(uid.to_string()), ..self.sent(item) };
        lock(&self.core.table).begin(target);
        if let Err(fault) = self.hand_over(target, item, uid, &mut sent, took_over).await {
            lock(&self.core.table).fail(target);
            return if matches!(fault, Fault::Raced { .. }) { Step::LookAgain } else { Step::End(stopped(fault)) };
        }
        let cause = lock(&self.core.table).cause(target);
        let answer = self.send(target, item, &sent, policy.conflict == Conflict::Force).await;
        if let (Err(_), Some(cause)) = (&answer, &cause) {
            lock(&self.core.table).remains(target, cause.clone());
        }
        match answer {
            Ok((facts, ready)) => {
                tracing::debug!(owner = %self.owner.key, object = describe(place.kind, place.name), "written");
                let step = self.applied(target, item, (&facts, ready), body, once);
                let told = cause.and_then(|cause| cause.told(&sent.whole(), &facts, &self.core.cluster.manager));
                if let Some(told) = told {
                    event::repaired(self.core, self.owner, &describe(place.kind, place.name), &told);
                }
                step
            }
            Err(Fault::Raced { .. }) => self.identify(target, item).await,
            Err(Fault::Immutable { object, server, only: true }) if is_replaced(item) => {
                match self.remove(place, item, uid).await {
                    Ok(gone) => self.removed(target, object, &server, gone),
                    Err(fault) => self.failed(target, fault),
                }
            }
            Err(Fault::Outdated { version, .. }) => self.mend(target, place, version).await,
            Err(fault) => self.failed(target, hole::explain(&self.core.cluster, place, &item.body, fault).await),
        }
    }

    /// Makes an object fit to be applied to again.
    async fn mend(&self, target: Target<'_>, place: Place<'_>, version: String) -> Step {
        match mend::forget(&self.core.cluster, place, Through::Object, &version).await {
            Ok(true) => {
                lock(&self.core.table).fail(target);
                event::publish(self.core, self.owner, &Told::mended(mend::note(place, &version))).await;
                Step::LookAgain
            }
            Ok(false) => self.failed(target, Fault::Outdated { object: describe(place.kind, place.name), version }),
            Err(Fault::Raced { .. }) => {
                lock(&self.core.table).fail(target);
                Step::LookAgain
            }
            Err(fault) => self.failed(target, fault),
        }
    }

    /// Sees that `spec.replicas` does not fall to the default when we no longer declare it, and that what was kept of it is
    /// not in the way when we do again.
    async fn hand_over(
        &self,
        target: Target<'_>,
        item: &Item,
        uid: &Uid,
        sent: &mut Sent<'_>,
        took_over: bool,
    ) -> Result<(), Fault> {
        let (claimed, version) = lock(&self.core.table).replicas(target);
        let place = place(target, item);
        match item.body.pointer("/spec/replicas") {
            Some(declared) if claimed.handed_over && item.object.policy.conflict == Conflict::Yield => {
                handover::agree(&self.core.cluster, place, uid, declared).await
            }
            None if (took_over && handover::may_scale(place.kind))
                || (claimed.ours && !claimed.others && !claimed.handed_over) =>
            {
                handover::keep(&self.core.cluster, place).await
            }
            None if claimed.ours && !claimed.handed_over => {
                // It stays as long as it is somebody else's, too: that is so in this version.
                sent.version = Some(version.to_string());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Lets go of `spec.replicas`, which was kept until it is somebody's.
    async fn let_go(&self, target: Target<'_>, item: &Item, body: u64, uid: &Uid, version: u64) -> Step {
        lock(&self.core.table).begin(target);
        let answer = handover::let_go(&self.core.cluster, place(target, item), uid, version).await;
        match answer {
            Ok(facts) => self.applied(target, item, (&facts, None), body, false),
            Err(Fault::Raced { .. }) => self.identify(target, item).await,
            Err(fault) => self.failed(target, fault),
        }
    }

    /// Notes that an object was deleted to be made anew: when the watch shows that it is gone, or at once where the API
    /// server has said so.
    fn removed(&self, target: Target<'_>, object: String, server: &str, gone: bool) -> Step {
        tracing::info!(owner = %self.owner.key, object, server, "deleted, to be made anew");
        let note = format!("{object} was deleted to be made anew, because it can't be changed so: {server}");
        let why = Fault::Deleting { object };
        let mut table = lock(&self.core.table);
        if gone {
            table.absent(target);
        }
        let there = table.deleting(target, why.clone());
        Step::Removed(note, there.then(|| stopped(why)))
    }

    /// Removes an object that is to be made anew; whether it is gone by now. The Pods of a `StatefulSet` run on, for the
    /// next one to take over, where its selector finds them.
    async fn remove(&self, place: Place<'_>, item: &Item, uid: &Uid) -> Result<bool, Fault> {
        // Asked before, so that the next one follows at once.
        self.owner_lives(item).await?;
        let mut what_it_owns = PropagationPolicy::Background;
        if place.kind.is(&KindId::of::<StatefulSet>()) {
            let Some(live) = self.core.cluster.whole(place).await? else { return Ok(true) };
            if live.data["spec"]["selector"] == item.body["spec"]["selector"] {
                what_it_owns = PropagationPolicy::Orphan;
            }
        }
        self.core.cluster.delete(place, uid, what_it_owns).await
    }

    /// Applies an object. Where its readiness counts, the answer tells that too, so that nothing waits for the watch to
    /// show it, and the status of the owner says it the first time it is written.
    async fn send(&self, target: Target<'_>, item: &Item, body: &Sent<'_>, force: bool) -> Result<Answer, Fault> {
        let (cluster, at) = (&self.core.cluster, place(target, item));
        if item.object.ready.is_none() {
            return Ok((cluster.apply::<()>(at, body, force).await?.facts, None));
        }
        let seen = cluster.apply::<View>(at, body, force).await?;
        let ready = lock(&self.core.table).judge(target.kind, &seen.view);
        Ok((seen.facts, ready))
    }

    fn applied(
        &self,
        target: Target<'_>,
        item: &Item,
        (facts, ready): (&Facts, Option<Box<[Readiness]>>),
        body: u64,
        once: bool,
    ) -> Step {
        let same = lock(&self.core.table).applied(target, facts, ready, body, once, Instant::now());
        if same { Step::End(self.done(target, item)) } else { Step::LookAgain }
    }

    fn failed(&self, target: Target<'_>, fault: Fault) -> Step {
        lock(&self.core.table).fail(target);
        Step::End(stopped(fault))
    }

    /// Finds out what is there under the name.
    async fn identify(&self, target: Target<'_>, item: &Item) -> Step {
        let facts = match self.core.cluster.look_up(place(target, item)).await {
            Ok(Some(facts)) => facts,
            Ok(None) => {
                lock(&self.core.table).absent(target);
                return Step::LookAgain;
            }
            Err(fault) => return self.failed(target, fault),
        };
        let object = describe(&item.object.kind, &item.name);
        let mut table = lock(&self.core.table);
        let (kind, key) = (&self.core.kind, &self.owner.key);
        let fault = match &facts.controller {
            Some(owner) if self.owner.uid == owner.uid.as_str().into() => None,
            None if table.is_recorded(target, &facts.uid) => None,
            Some(owner) if owner.kind == kind.kind && owner.name == key.name() && is_of(&owner.api_version, kind) => {
                Some(Fault::Predecessor { object, owner: describe(kind, key.name()) })
            }
            Some(owner) => Some(Fault::Collision { object, owner: format!("{} `{}`", owner.kind, owner.name) }),
            None => Some(Fault::Collision { object, owner: "nobody".to_owned() }),
        };
        let Some(fault) = fault else {
            table.found(target, &facts);
            return Step::LookAgain;
        };
        if table.taken(target, &facts, fault.clone()) { Step::End(stopped(fault)) } else { Step::LookAgain }
    }

    /// What is sent of an object.
    fn sent<'a>(&'a self, item: &'a Item) -> Sent<'a> {
        Sent { body: &item.body, owner: &self.reference, uid: None, version: None }
    }
}

/// Whether an object that can't be changed is replaced. Nothing can be done with a binding that refers to another role but
/// that, and nothing is lost by it but a moment.
fn is_replaced(item: &Item) -> bool {
    item.object.policy.apply == Apply::Recreate || item.object.binds.is_some()
}

/// How it stands with an entry that something is in the way of.
fn stopped(fault: Fault) -> State {
    match fault {
        Fault::Predecessor { .. } | Fault::Deleting { .. } => State::Waits(Why::new(fault.reason(), fault.to_string())),
        fault => State::Failed(fault),
    }
}

fn place<'a>(target: Target<'a>, item: &'a Item) -> Place<'a> {
    Place { kind: &item.object.kind, namespace: target.namespace, name: target.name }
}

/// Whether an API version is one of the kind's group.
fn is_of(api_version: &str, kind: &KindId) -> bool {
    api_version.rsplit_once('/').map_or("", |(group, _)| group) == kind.group
}
