//! What the parts of a running engine share.

use super::cluster::Cluster;
use super::owners::Owners;
use super::reads::Reads;
use super::repairs::Repairs;
use super::rights::Rights;
use super::table::Table;
use crate::declare::Declare;
use crate::kind::KindId;
use crate::member::Member;
use kube::runtime::events::{Recorder, Reporter};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// What the parts of a running engine share.
pub(super) struct Core<S: Declare> {
    /// The kind of the owners.
    pub(super) kind: KindId,
    pub(super) settings: Arc<S::Settings>,
    pub(super) cluster: Cluster,
    pub(super) owners: Owners,
    pub(super) table: Mutex<Table>,
    pub(super) reads: Arc<Reads>,
    pub(super) recorder: Recorder,
    pub(super) rights: Rights,
    /// Whether it was said that events can't be written; until one is.
    pub(super) mute: AtomicBool,
    /// What was put right and is to be told.
    pub(super) repairs: Repairs,
}

impl<S: Declare> Core<S> {
    pub(super) fn new(cluster: Cluster, settings: Arc<S::Settings>, rights: Rights) -> Self {
        let namespaces = rights.namespaces.as_slice();
        let node = <S as Member>::NODE;
        let reporter = Reporter::from(cluster.manager.as_str());
        Self {
            kind: KindId::of::<S::Owner>(),
            settings,
            owners: Owners::default(),
            table: Mutex::new(Table::new(node, &cluster.manager, namespaces)),
            reads: Arc::new(Reads::new(node, namespaces)),
            recorder: Recorder::new(cluster.client.clone(), reporter),
            cluster,
            rights,
            mute: AtomicBool::new(false),
            repairs: Repairs::default(),
        }
    }
}
