//! What runs: watches that tell, a gate that decides, and passes that do.

mod watches;

use super::backoff::{around, random};
use super::core::Core;
use super::error::Error;
use super::gate::{After, Gate, Lane};
use super::key::ObjectKey;
use super::owners::Change;
use super::pass;
use super::shared::Watches;
use super::sync::lock;
use super::table::{Urgency, Wake};
use crate::declare::Declare;
use std::collections::HashMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{Id, JoinError, JoinSet};
use tracing::Instrument;

/// How long passes that run are given to end when the engine is to stop.
const GRACE: Duration = Duration::from_secs(10);
/// An owned object that goes because its owner goes is seen a moment before the owner is.
const MOMENT: Duration = Duration::from_millis(100);

/// What watches tell the driver.
#[derive(Debug)]
enum News {
    /// An owner is not as it was.
    Owner(ObjectKey, Change),
    /// An owner is gone.
    Gone(ObjectKey),
    /// All owners of one watch are known.
    OwnersListed(usize),
    /// Owners have to be looked at again.
    Wakes(Vec<Wake>),
    /// Every owner has to be looked at again, when there is nothing more urgent.
    Everyone,
    /// What the operator may do is known, or has changed.
    Rights,
    /// A watch has either seen everything or failed to.
    Settled,
}

/// How a driver is set up.
pub(super) struct Setup {
    pub(super) namespaces: Vec<String>,
    pub(super) concurrency: usize,
    pub(super) resync: Duration,
    pub(super) shared: Watches,
}

struct Driver<S: Declare> {
    core: Arc<Core<S>>,
    gate: Gate<ObjectKey>,
    passes: JoinSet<After>,
    running: HashMap<Id, ObjectKey>,
    watches: JoinSet<String>,
    /// Where owned and read objects are watched.
    shared: Watches,
    news: UnboundedSender<News>,
    /// The watches of owners that have not listed everything yet.
    unlisted: Vec<usize>,
    /// Whether passes may run: everything that can be known is known.
    open: bool,
}

/// Runs until `shutdown` is done, or a part ends that must not.
pub(super) async fn drive<S: Declare>(
    core: Arc<Core<S>>,
    setup: Setup,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Error> {
    let (news, mut inbox) = unbounded_channel();
    let mut driver = Driver {
        core,
        gate: Gate::new(setup.concurrency, random),
        passes: JoinSet::new(),
        running: HashMap::new(),
        watches: JoinSet::new(),
        shared: setup.shared,
        news,
        unlisted: Vec::new(),
        open: false,
    };
    driver.watch_rights();
    driver.tell_repairs();
    driver.watch_owners(&setup.namespaces);
    let ended = driver.work(&mut inbox, setup.resync, shutdown).await;
    driver.finish().await;
    ended
}

impl<S: Declare> Driver<S> {
    async fn work(
        &mut self,
        inbox: &mut UnboundedReceiver<News>,
        resync: Duration,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let mut shutdown = pin!(shutdown);
        let mut next_resync = pin!(tokio::time::sleep(around(resync, 0.1, random)));
        loop {
            self.release();
            let timer = self.gate.next_timer().map(tokio::time::Instant::from_std);
            let rings = async {
                match timer {
                    Some(at) if self.open => tokio::time::sleep_until(at).await,
                    _ => std::future::pending().await,
                }
            };
            tokio::select! {
                () = &mut shutdown => return Ok(()),
                Some(news) = inbox.recv() => self.hear(news),
                Some(done) = self.passes.join_next_with_id() => self.done(done),
                Some(ended) = self.watches.join_next() => return Err(end_of(ended)),
                () = rings => {}
                () = &mut next_resync => {
                    self.ask_everyone();
                    next_resync.set(tokio::time::sleep(around(resync, 0.1, random)));
                }
            }
        }
    }

    /// Lets through who may be worked on.
    fn release(&mut self) {
        if !self.open {
            return;
        }
        while let Some(key) = self.gate.next(Instant::now()) {
            let span = tracing::debug_span!("pass", kind = self.core.kind.kind, owner = %key);
            let handle = self.passes.spawn(pass::run(Arc::clone(&self.core), key.clone()).instrument(span));
            self.running.insert(handle.id(), key);
        }
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Owner(_, Change::Nothing) => {}
            News::Owner(key, Change::New) if !self.open => self.gate.ask(&key, Lane::Backlog),
            News::Owner(key, change) => {
                if matches!(change, Change::New | Change::Generation) {
                    self.gate.renew(&key);
                }
                self.gate.ask(&key, Lane::Live);
            }
            News::Gone(key) => {
                self.gate.forget(&key);
                self.core.reads.settle(&key, Vec::new());
            }
            News::OwnersListed(watch) => {
                let waited = !self.unlisted.is_empty();
                self.unlisted.retain(|unlisted| *unlisted != watch);
                if waited && self.unlisted.is_empty() {
                    // Only now, so that what they show can be told to be an owner's.
                    self.watch_objects();
                    self.settle();
                }
            }
            News::Wakes(wakes) => {
                for wake in wakes {
                    match wake.urgency {
                        // At the start everything is new, and nothing of it more urgent than the rest.
                        _ if !self.open => self.gate.ask(&wake.owner, Lane::Backlog),
                        Urgency::Now => self.gate.ask(&wake.owner, Lane::Live),
                        Urgency::Soon => self.gate.ask_after(&wake.owner, MOMENT, Lane::Live, Instant::now()),
                        Urgency::Calm => self.gate.ask(&wake.owner, Lane::Backlog),
                    }
                }
            }
            News::Everyone => self.ask_everyone(),
            News::Rights => {
                // Whoever was refused need not wait until the next try.
                for key in self.core.owners.keys() {
                    self.gate.renew(&key);
                    self.gate.ask(&key, Lane::Backlog);
                }
                self.settle();
            }
            News::Settled => self.settle(),
        }
    }

    /// Opens the gate once everything that can be known is known.
    fn settle(&mut self) {
        let listed = self.unlisted.is_empty() && lock(&self.core.table).is_settled() && self.core.reads.is_settled();
        if !self.open && listed && self.core.rights.health.is_asked() {
            tracing::debug!(kind = self.core.kind.kind, "everything is listed");
            self.open = true;
            self.core.rights.health.listed();
        }
    }

    fn ask_everyone(&mut self) {
        for key in self.core.owners.keys() {
            self.gate.ask(&key, Lane::Backlog);
        }
    }

    fn done(&mut self, done: Result<(Id, After), JoinError>) {
        let (id, after) = match done {
            Ok(done) => done,
            Err(error) => {
                let id = error.id();
                if let Some(key) = self.running.get(&id) {
                    tracing::error!(owner = %key, error = %error, "a pass panicked");
                    pass::release(&self.core, key);
                }
                (id, After::Failed(Duration::ZERO))
            }
        };
        if let Some(key) = self.running.remove(&id) {
            self.gate.done(&key, after, Instant::now());
        }
    }

    /// Lets passes that run come to their end; what takes longer is aborted.
    async fn finish(mut self) {
        self.watches.abort_all();
        let all = async {
            while self.passes.join_next().await.is_some() {}
            Box::pin(pass::close(&self.core)).await;
        };
        if tokio::time::timeout(GRACE, all).await.is_err() {
            tracing::warn!(passes = self.passes.len(), "passes did not end in time");
        }
    }
}

fn end_of(ended: Result<String, JoinError>) -> Error {
    match ended {
        Ok(part) => Error::Ended { part, source: None },
        Err(source) => Error::Ended { part: "a watch".to_owned(), source: Some(source) },
    }
}
