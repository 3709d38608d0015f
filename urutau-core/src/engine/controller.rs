//! What a process runs: one controller for each kind of owner.

use super::client::client;
use super::cluster::Cluster;
use super::core::Core;
use super::driver::{Setup, drive};
use super::error::Error;
use super::pass::PARALLEL;
use super::rights::{Health, Rights};
use super::shared::Watches;
use crate::declare::Declare;
use crate::kind::KindId;
use crate::member::Member;
use crate::rbac::{Need, RuleSet};
use kube::Client;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// Keeps what the owners of one kind declare.
#[must_use = "a controller does nothing until it runs"]
pub struct Controller<S: Declare> {
    client: Client,
    settings: Arc<S::Settings>,
    manager: String,
    namespaces: Vec<String>,
    concurrency: usize,
    resync: Duration,
    need: Need,
    role: Option<String>,
    health: Health,
    watches: Watches,
}

impl<S: Declare> Controller<S> {
    /// A controller for the owners of `S` in the whole cluster.
    pub fn new(client: Client, settings: S::Settings) -> Self {
        Self {
            client,
            settings: Arc::new(settings),
            manager: S::MANAGER.to_owned(),
            namespaces: Vec::new(),
            concurrency: 64,
            resync: Duration::from_secs(600),
            need: Need::of_node(<S as Member>::NODE),
            role: None,
            health: Health::default(),
            watches: Watches::default(),
        }
    }

    /// The field manager, in place of the one that the set asks for. No two operators may share one.
    pub fn manager(mut self, manager: impl Into<String>) -> Self {
        self.manager = manager.into();
        self
    }

    /// The namespaces that are watched; none means all of them.
    pub fn namespaces(mut self, namespaces: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.namespaces = namespaces.into_iter().map(Into::into).collect();
        self
    }

    /// How many owners are worked on at the same time; 64 if nothing is said, and at least 1. As many requests that read or
    /// write their objects are on their way at the same time, and never less than 8 may be.
    pub fn concurrency(mut self, owners: usize) -> Self {
        self.concurrency = owners.max(1);
        self
    }

    /// How often every owner is looked at without any change, give or take a tenth; 10 minutes if nothing is said.
    /// It sends nothing where everything is as declared.
    pub fn resync(mut self, every: Duration) -> Self {
        self.resync = every;
        self
    }

    /// The rules that the operator is to hold, in place of those that follow from the set: to be asked for at the start
    /// with the rest.
    pub fn holds<R: RuleSet>(mut self) -> Self {
        // Whatever `R` manages, it has to hold what this set grants.
        const { crate::rbac::grants_are_held(R::NAME, R::RULES, <S as Member>::NODE) }
        self.need = Need::of_rules(R::RULES);
        self
    }

    /// The name of the operator's role, for the advice when a right is missing; the field manager if nothing is said. In a
    /// namespace it is taken to have the name of that behind it, as [`role_in`](crate::rbac::role_in) says.
    pub fn role(mut self, name: impl Into<String>) -> Self {
        self.role = Some(name.into());
        self
    }

    /// Shares the watches of owned and read objects with the other controllers that are given the same ones.
    pub fn watches(mut self, watches: &Watches) -> Self {
        self.watches = watches.clone();
        self
    }

    /// How it stands with the controller, to be kept by whoever answers the probes.
    pub fn health(&self) -> Health {
        self.health.clone()
    }

    /// Runs until `shutdown` is done.
    ///
    /// Before the first pass it asks the API server, piece by piece, whether the operator may do what it has to. What
    /// is missing is logged as one message, the [`Health`] is not ready, and it goes on with what it may do; it looks
    /// again every few seconds, and goes on with the rest without a restart once it may.
    ///
    /// # Errors
    /// When a part of the engine ends that must not: exit then, and be started again.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), Error> {
        let kind = KindId::of::<S::Owner>();
        let kube = <S::Owner as kube::Resource>::plural(&());
        if kube != kind.plural {
            return Err(Error::Plural { kind: kind.kind, plural: kind.plural, kube: kube.into_owned() });
        }
        let role = self.role.unwrap_or_else(|| self.manager.clone());
        let cluster = Cluster::new(self.client, self.manager, self.concurrency.max(PARALLEL));
        let rights = Rights::new(self.health, self.need, self.namespaces.clone(), role);
        let core = Core::<S>::new(cluster, self.settings, rights);
        let setup = Setup {
            namespaces: self.namespaces,
            concurrency: self.concurrency,
            resync: self.resync,
            shared: self.watches,
        };
        drive(Arc::new(core), setup, shutdown).await
    }
}

/// The whole `main` of a small operator: a client from the environment, and a controller that runs until the process
/// is told to stop (SIGTERM, Ctrl-C).
///
/// # Errors
/// When there is no client to be had, and as [`Controller::run`].
pub async fn run<S: Declare>(settings: S::Settings) -> Result<(), Error> {
    let client = client().await.map_err(|error| Error::Client(Box::new(error)))?;
    Controller::<S>::new(client, settings).run(crate::stopped()).await
}
