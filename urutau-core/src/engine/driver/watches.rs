//! The watches of a driver, and what they tell.

use super::super::cluster::status_manager;
use super::super::core::Core;
use super::super::fault::Fault;
use super::super::owner::SeenOwner;
use super::super::owners::Change;
use super::super::pass::event::tell_repairs;
use super::super::seen::{Extent, Seen};
use super::super::sync::lock;
use super::super::table::{Trouble, Urgency, Wake};
use super::super::watch::{Told, answer, follow};
use super::{Driver, News};
use crate::declare::Declare;
use crate::kind::KindId;
use crate::ready::{Readiness, View};
use kube::runtime::watcher::{self, Event};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

impl<S: Declare> Driver<S> {
    /// Watches what the operator may do.
    pub(super) fn watch_rights(&mut self) {
        let (core, news) = (Arc::clone(&self.core), self.news.clone());
        self.watches.spawn(async move {
            let changed = || {
                // The driver is gone only when everything is about to end.
                let _ = news.send(News::Rights);
            };
            core.rights.watch(&core.cluster.client, changed).await;
            "the check of rights".to_owned()
        });
    }

    /// Tells what was put right.
    pub(super) fn tell_repairs(&mut self) {
        let core = Arc::clone(&self.core);
        self.watches.spawn(async move {
            tell_repairs(&core).await;
            "the telling of repairs".to_owned()
        });
    }

    /// Watches the owners, in each of the namespaces, or everywhere.
    pub(super) fn watch_owners(&mut self, namespaces: &[String]) {
        let kind = self.core.kind;
        let whole = namespaces.is_empty() || !kind.namespaced;
        let scopes: Vec<String> = if whole { vec![String::new()] } else { namespaces.to_vec() };
        for (watch, namespace) in scopes.into_iter().enumerate() {
            self.unlisted.push(watch);
            let api = self.core.cluster.owners(&kind, &namespace);
            let teller = OwnerTeller { core: Arc::clone(&self.core), news: self.news.clone(), watch, namespace };
            self.watches.spawn(async move {
                follow(api, |told| teller.tell(told)).await;
                format!("the watch of {kind}")
            });
        }
    }

    /// Watches what is owned and what is read.
    pub(super) fn watch_objects(&mut self) {
        let watches = lock(&self.core.table).watches();
        for (kind, scope, id, namespace, ready) in watches {
            if ready {
                self.watch_owned::<View>(kind, scope, id, namespace.as_deref(), |core, kind, view| {
                    lock(&core.table).judge(kind, view)
                });
            } else {
                self.watch_owned::<()>(kind, scope, id, namespace.as_deref(), |_, _, ()| None);
            }
        }
        for (kind, scope, id, namespace) in self.core.reads.watches() {
            let namespace = namespace.unwrap_or_default();
            let api = self.core.cluster.objects::<()>(&id, &namespace);
            let teller = ReadTeller { core: Arc::clone(&self.core), news: self.news.clone(), id, kind, scope };
            let shared = self.shared.clone();
            self.watches.spawn(async move {
                shared.follow(api, id, &namespace, move |told| teller.tell(told)).await;
                format!("the watch of {id}")
            });
        }
    }

    fn watch_owned<V: Extent>(
        &mut self,
        kind: usize,
        scope: usize,
        id: KindId,
        namespace: Option<&str>,
        judge: Judge<S, V>,
    ) {
        let namespace = namespace.unwrap_or_default().to_owned();
        let api = self.core.cluster.objects::<V>(&id, &namespace);
        let teller = ObjectTeller { core: Arc::clone(&self.core), news: self.news.clone(), id, kind, scope, judge };
        let shared = self.shared.clone();
        self.watches.spawn(async move {
            shared.follow(api, id, &namespace, move |told| teller.tell(told)).await;
            format!("the watch of {id}")
        });
    }
}

/// How the readiness of what a watch shows is told.
type Judge<S, V> = fn(&Core<S>, usize, &V) -> Option<Box<[Readiness]>>;

/// What is said by the watch of owners.
struct OwnerTeller<S: Declare> {
    core: Arc<Core<S>>,
    news: UnboundedSender<News>,
    watch: usize,
    namespace: String,
}

impl<S: Declare> OwnerTeller<S> {
    fn tell(&self, told: Told<SeenOwner>) {
        let namespace = (!self.namespace.is_empty()).then_some(self.namespace.as_str());
        match told {
            Told::Event(Event::Init) => self.core.owners.relist(namespace),
            Told::Event(Event::InitApply(seen) | Event::Apply(seen)) => {
                let owner = seen.kept(&status_manager(&self.core.cluster.manager));
                let key = owner.key.clone();
                let change = self.core.owners.see(owner);
                if change == Change::New
                    && let Some(owner) = self.core.owners.get(&key)
                {
                    let records = owner.records();
                    lock(&self.core.table).meet(&key, &owner.uid, records);
                }
                if change != Change::Nothing {
                    self.send(News::Owner(key, change));
                }
            }
            Told::Event(Event::Delete(seen)) => {
                let owner = seen.kept("");
                if self.core.owners.gone(&owner) {
                    lock(&self.core.table).forget(&owner.key);
                    self.send(News::Gone(owner.key));
                }
            }
            Told::Event(Event::InitDone) => {
                for key in self.core.owners.listed(namespace) {
                    lock(&self.core.table).forget(&key);
                    self.send(News::Gone(key));
                }
                self.send(News::OwnersListed(self.watch));
            }
            Told::Trouble(error) => {
                let kind = self.core.kind;
                doubt(&self.core, &error);
                if trouble(&error, &kind).is_some() {
                    tracing::warn!(%kind, error = trouble_text(&error, &kind), "owners can't be watched; trying again");
                    // Those of other namespaces do not wait for these.
                    self.send(News::OwnersListed(self.watch));
                } else {
                    tracing::debug!(%kind, %error, "the watch of owners was interrupted");
                }
            }
        }
    }

    fn send(&self, news: News) {
        // The driver is gone only when everything is about to end.
        let _ = self.news.send(news);
    }
}

/// What is said by the watch of an owned kind.
struct ObjectTeller<S: Declare, V> {
    core: Arc<Core<S>>,
    news: UnboundedSender<News>,
    id: KindId,
    kind: usize,
    scope: usize,
    judge: Judge<S, V>,
}

impl<S: Declare, V: Extent> ObjectTeller<S, V> {
    fn tell(&self, told: &Told<Seen<V>>) {
        let (kind, scope) = (self.kind, self.scope);
        let mut wakes = Vec::new();
        let mut settled = false;
        match told {
            Told::Event(Event::Init) => lock(&self.core.table).relist(kind, scope),
            Told::Event(Event::InitApply(seen) | Event::Apply(seen)) => {
                let ready = (self.judge)(&self.core, kind, &seen.view);
                lock(&self.core.table).see(kind, scope, &seen.facts, ready, Instant::now(), &mut wakes);
            }
            Told::Event(Event::Delete(seen)) => lock(&self.core.table).gone(kind, &seen.facts, &mut wakes),
            Told::Event(Event::InitDone) => {
                lock(&self.core.table).listed(kind, scope, &mut wakes);
                settled = true;
            }
            Told::Trouble(error) => {
                doubt(&self.core, error);
                if let Some(why) = trouble(error, &self.id) {
                    let text = trouble_text(error, &self.id);
                    if lock(&self.core.table).trouble(kind, scope, why, &mut wakes) {
                        tracing::warn!(kind = %self.id, error = text, "an owned kind can't be watched; trying again");
                    }
                    settled = true;
                } else {
                    tracing::debug!(kind = %self.id, %error, "a watch was interrupted");
                }
            }
        }
        if !wakes.is_empty() {
            let _ = self.news.send(News::Wakes(wakes));
        }
        if settled {
            let _ = self.news.send(News::Settled);
        }
    }
}

/// What is said by the watch of a kind that is read.
struct ReadTeller<S: Declare> {
    core: Arc<Core<S>>,
    news: UnboundedSender<News>,
    id: KindId,
    kind: usize,
    scope: usize,
}

impl<S: Declare> ReadTeller<S> {
    fn tell(&self, told: &Told<Seen<()>>) {
        let (reads, kind, scope) = (&self.core.reads, self.kind, self.scope);
        let owners = match told {
            Told::Event(Event::Init) => {
                reads.relist(kind, scope);
                return;
            }
            Told::Event(Event::InitApply(seen) | Event::Apply(seen)) => reads.see(kind, scope, &seen.facts),
            Told::Event(Event::Delete(seen)) => reads.gone(kind, &seen.facts),
            Told::Event(Event::InitDone) => {
                let (owners, everyone) = reads.listed(kind, scope);
                if everyone {
                    let _ = self.news.send(News::Everyone);
                }
                let _ = self.news.send(News::Settled);
                owners
            }
            Told::Trouble(error) => {
                doubt(&self.core, error);
                if let Some(why) = trouble(error, &self.id) {
                    if reads.trouble(kind, scope, why) {
                        let text = trouble_text(error, &self.id);
                        tracing::warn!(kind = %self.id, error = text, "a kind that is read can't be watched; trying again");
                    }
                    let _ = self.news.send(News::Settled);
                } else {
                    tracing::debug!(kind = %self.id, %error, "a watch was interrupted");
                }
                return;
            }
        };
        if !owners.is_empty() {
            let wakes = owners.into_iter().map(|owner| Wake { owner, urgency: Urgency::Now }).collect();
            let _ = self.news.send(News::Wakes(wakes));
        }
    }
}

/// A watch that is refused may lack a right.
fn doubt<S: Declare>(core: &Core<S>, error: &watcher::Error) {
    if answer(error).is_some_and(|status| status.code == 403) {
        core.rights.doubt();
    }
}

/// What the trouble of a watch means, if it is more than an interruption.
fn trouble(error: &watcher::Error, kind: &KindId) -> Option<Trouble> {
    match (answer(error), error) {
        (Some(status), _) if status.code == 404 => Some(Trouble::Absent),
        (Some(status), _) if status.code == 403 => Some(Trouble::Other(trouble_text(error, kind))),
        (_, watcher::Error::InitialListFailed(_)) => Some(Trouble::Other(trouble_text(error, kind))),
        _ => None,
    }
}

/// The innermost words of an error.
fn trouble_text(error: &watcher::Error, kind: &KindId) -> String {
    match error {
        watcher::Error::InitialListFailed(error) => Fault::of(error, "list", kind, "").server(),
        watcher::Error::WatchStartFailed(error) | watcher::Error::WatchFailed(error) => {
            Fault::of(error, "watch", kind, "").server()
        }
        watcher::Error::WatchError(status) => status.message.clone(),
        watcher::Error::NoResourceVersion => error.to_string(),
    }
}
