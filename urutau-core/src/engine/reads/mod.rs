//! Objects that `declare` asks for: read once in each version, watched by their metadata, and kept while somebody asks.

mod cell;

use self::cell::{Cell, Content, Since};
use super::cluster::Cluster;
use super::fault::{Fault, describe};
use super::key::{ObjectKey, text};
use super::seen::{Facts, Seen};
use super::sync::lock;
use super::table::Trouble;
use crate::inputs::{Ask, Decoded, Found, Lookup};
use crate::kind::KindId;
use crate::node::Node;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Objects that `declare` asks for.
pub(super) struct Reads {
    /// The struct that says which kinds are read.
    declared_by: &'static str,
    state: Mutex<State>,
}

struct State {
    kinds: Vec<ReadKind>,
    asked: HashMap<ObjectKey, Vec<(usize, ObjectKey)>>,
}

struct ReadKind {
    kind: KindId,
    scopes: Vec<Scope>,
    cells: HashMap<ObjectKey, Cell>,
}

struct Scope {
    namespace: Option<String>,
    synced: bool,
    epoch: u32,
    trouble: Option<Trouble>,
}

impl Reads {
    /// The reads of a set, through the given namespaces (none: all of them).
    pub(super) fn new(node: &'static Node, namespaces: &[String]) -> Self {
        let declared_by = match node.bare() {
            Node::Set(set) => set.declared_by,
            _ => "",
        };
        let mut kinds: Vec<KindId> = Vec::new();
        kinds_read(node, &mut kinds);
        let kinds = kinds.into_iter().map(|kind| {
            let whole = namespaces.is_empty() || !kind.namespaced;
            let scopes = if whole { vec![None] } else { namespaces.iter().cloned().map(Some).collect() };
            let scope = |namespace| Scope { namespace, synced: false, epoch: 0, trouble: None };
            ReadKind { kind, scopes: scopes.into_iter().map(scope).collect(), cells: HashMap::new() }
        });
        Self { declared_by, state: Mutex::new(State { kinds: kinds.collect(), asked: HashMap::new() }) }
    }

    /// The watches that are needed: kind and namespace.
    pub(super) fn watches(&self) -> Vec<(usize, usize, KindId, Option<String>)> {
        let state = lock(&self.state);
        let mut watches = Vec::new();
        for (kind, table) in state.kinds.iter().enumerate() {
            for (scope, watched) in table.scopes.iter().enumerate() {
                watches.push((kind, scope, table.kind, watched.namespace.clone()));
            }
        }
        watches
    }

    /// Whether every watch has either seen everything or failed to.
    pub(super) fn is_settled(&self) -> bool {
        let state = lock(&self.state);
        state.kinds.iter().flat_map(|table| &table.scopes).all(|scope| scope.synced || scope.trouble.is_some())
    }

    /// Notes that a watch begins to list.
    pub(super) fn relist(&self, kind: usize, scope: usize) {
        let mut state = lock(&self.state);
        let scope = &mut state.kinds[kind].scopes[scope];
        scope.epoch = scope.epoch.wrapping_add(1);
    }

    /// Notes that a watch has listed everything, and gives the owners for whom something changed, and whether that is
    /// all of them: the kind could not be read before.
    pub(super) fn listed(&self, kind: usize, scope: usize) -> (Vec<ObjectKey>, bool) {
        let mut state = lock(&self.state);
        let table = &mut state.kinds[kind];
        let scope = &mut table.scopes[scope];
        let first = !scope.synced || scope.trouble.is_some();
        (scope.synced, scope.trouble) = (true, None);
        let (epoch, namespace) = (scope.epoch, scope.namespace.clone());
        let mut wakes = Vec::new();
        for (key, cell) in &mut table.cells {
            let covered = namespace.as_deref().is_none_or(|namespace| key.namespace() == namespace);
            if covered && cell.epoch != epoch && cell.unlisted() {
                wakes.extend(cell.askers.iter().cloned());
            }
        }
        (wakes, first)
    }

    /// Notes why a watch does not work; whether that is news.
    pub(super) fn trouble(&self, kind: usize, scope: usize, why: Trouble) -> bool {
        let mut state = lock(&self.state);
        let scope = &mut state.kinds[kind].scopes[scope];
        let news = scope.trouble.as_ref() != Some(&why);
        scope.synced &= why != Trouble::Absent;
        scope.trouble = Some(why);
        news
    }

    /// Notes an object as it is now, and gives the owners who have to look again.
    pub(super) fn see(&self, kind: usize, scope: usize, facts: &Facts) -> Vec<ObjectKey> {
        let mut state = lock(&self.state);
        let table = &mut state.kinds[kind];
        let epoch = table.scopes[scope].epoch;
        let Some(cell) = table.cells.get_mut(text(&facts.namespace, &facts.name).as_str()) else { return Vec::new() };
        cell.epoch = epoch;
        if cell.changed(facts.version) { cell.askers.clone() } else { Vec::new() }
    }

    /// Notes that an object is gone, and gives the owners who have to look again.
    pub(super) fn gone(&self, kind: usize, facts: &Facts) -> Vec<ObjectKey> {
        let mut state = lock(&self.state);
        let cells = &mut state.kinds[kind].cells;
        let Some(cell) = cells.get_mut(text(&facts.namespace, &facts.name).as_str()) else { return Vec::new() };
        if cell.vanish(facts.version) { cell.askers.clone() } else { Vec::new() }
    }

    /// Sets what an owner asks for; what nobody asks for any longer is dropped.
    pub(super) fn settle(&self, owner: &ObjectKey, asked: Vec<(usize, ObjectKey)>) {
        let mut state = lock(&self.state);
        let State { kinds, asked: all } = &mut *state;
        let before = all.remove(owner).unwrap_or_default();
        for (kind, key) in before.into_iter().filter(|before| !asked.contains(before)) {
            if let Some(cell) = kinds[kind].cells.get_mut(&key) {
                cell.askers.retain(|asker| asker != owner);
                if cell.askers.is_empty() {
                    kinds[kind].cells.remove(&key);
                }
            }
        }
        if !asked.is_empty() {
            all.insert(owner.clone(), asked);
        }
    }

    /// Reads an object that somebody asked for, unless another did meanwhile. What keeps it from being read is kept
    /// for this pass and is the answer.
    pub(super) async fn fetch(&self, cluster: &Cluster, question: &Question) -> Result<(), Fault> {
        let Question { kind, key, ask } = question;
        let Some(turn) = self.turn(*kind, key) else { return Ok(()) };
        let _turn = turn.lock().await;
        let Some(since) = self.unread(*kind, key) else { return Ok(()) };
        let answer = read(cluster, ask).await;
        let fault = answer.as_ref().err().cloned();
        let mut state = lock(&self.state);
        if let Some(cell) = state.kinds[*kind].cells.get_mut(key) {
            match answer {
                Ok(Some((version, decoded))) => {
                    cell.read(version, decoded.map_or_else(Content::Unreadable, Content::Object), since);
                }
                Ok(None) => cell.missing(since),
                Err(fault) => cell.failed(fault.to_string()),
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn turn(&self, kind: usize, key: &ObjectKey) -> Option<Arc<tokio::sync::Mutex<()>>> {
        Some(Arc::clone(&lock(&self.state).kinds[kind].cells.get(key)?.turn))
    }

    /// What is known of an object that is to be read.
    fn unread(&self, kind: usize, key: &ObjectKey) -> Option<Since> {
        lock(&self.state).kinds[kind].cells.get(key)?.unread()
    }

    /// Forgets what kept the objects of an owner from being read, so that it is tried again.
    pub(super) fn retry(&self, owner: &ObjectKey) {
        let mut state = lock(&self.state);
        let State { kinds, asked } = &mut *state;
        for (kind, key) in asked.get(owner).into_iter().flatten() {
            if let Some(cell) = kinds[*kind].cells.get_mut(key) {
                cell.retry();
            }
        }
    }
}

/// One request for one object, and its version.
async fn read(cluster: &Cluster, ask: &Ask) -> Result<Option<(u64, Result<Decoded, String>)>, Fault> {
    let namespace = (!ask.namespace.is_empty()).then_some(ask.namespace.as_str());
    let path = <Seen<()> as kube::Resource>::url_path(&ask.kind, namespace);
    let request = kube::core::Request::new(path).get(&ask.name, &kube::api::GetParams::default());
    match cluster.send::<Value>(request).await {
        Ok(object) => {
            let version = object.pointer("/metadata/resourceVersion").and_then(Value::as_str);
            let version = version.and_then(|version| version.parse().ok()).unwrap_or_default();
            Ok(Some((version, (ask.decode)(object).map_err(|error| error.to_string()))))
        }
        Err(kube::Error::Api(status)) if status.is_not_found() => Ok(None),
        Err(error) => Err(Fault::of(&error, "get", &ask.kind, &ask.name)),
    }
}

/// An object that was asked for and nobody has read.
#[derive(Clone)]
pub(super) struct Question {
    kind: usize,
    key: ObjectKey,
    ask: Ask,
}

/// The questions of one pass.
#[derive(Default)]
pub(super) struct Asked {
    all: Vec<(usize, ObjectKey)>,
    unread: Vec<Question>,
    /// Why something could not be looked for at all.
    fault: Option<Fault>,
}

impl Asked {
    /// Takes the questions that nobody has answered.
    pub(super) fn take_unread(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.unread)
    }

    /// Everything that was asked for, and why something could not be looked for at all.
    pub(super) fn into_all(self) -> (Vec<(usize, ObjectKey)>, Option<Fault>) {
        (self.all, self.fault)
    }
}

/// The lookup of one owner.
pub(super) struct OwnerReads {
    pub(super) reads: Arc<Reads>,
    pub(super) owner: ObjectKey,
    pub(super) asked: Arc<Mutex<Asked>>,
}

impl Lookup for OwnerReads {
    fn lookup(&self, ask: &Ask) -> Found {
        let mut state = lock(&self.reads.state);
        let Some(kind) = state.kinds.iter().position(|table| table.kind.is(&ask.kind)) else {
            return Found::NotDeclared(self.reads.declared_by);
        };
        let table = &mut state.kinds[kind];
        let scope = table.scopes.iter().find(|scope| scope.namespace.as_deref().is_none_or(|own| own == ask.namespace));
        let unwatched = match scope {
            None => Some(format!("namespace `{}` is not watched", ask.namespace)),
            Some(Scope { synced: true, .. }) => None,
            Some(Scope { trouble, .. }) => Some(match trouble {
                Some(Trouble::Absent) => "the API server does not serve it".to_owned(),
                Some(Trouble::Other(why)) => why.clone(),
                None => "it is not listed yet".to_owned(),
            }),
        };
        if let Some(why) = unwatched {
            lock(&self.asked).fault = Some(Fault::Unwatched { kind: ask.kind.to_string(), why: why.clone() });
            return Found::Unreadable(why);
        }
        let key = ObjectKey::new(&ask.namespace, &ask.name);
        let cell = table.cells.entry(key.clone()).or_default();
        if !cell.askers.contains(&self.owner) {
            cell.askers.push(self.owner.clone());
        }
        let mut asked = lock(&self.asked);
        if !asked.all.contains(&(kind, key.clone())) {
            asked.all.push((kind, key.clone()));
        }
        match &cell.content {
            Content::Object(object) => Found::Object(Arc::clone(object)),
            Content::Missing => Found::Missing,
            Content::Unreadable(why) | Content::Failed(why) => Found::Unreadable(why.clone()),
            Content::Unread => {
                asked.unread.push(Question { kind, key, ask: ask.clone() });
                Found::Unknown
            }
        }
    }
}

impl Question {
    /// What the question is about.
    pub(super) fn describe(&self) -> String {
        describe(&self.ask.kind, &self.ask.name)
    }
}

fn kinds_read(node: &'static Node, kinds: &mut Vec<KindId>) {
    if let Node::Set(set) = node.bare() {
        for kind in set.reads {
            if !kinds.iter().any(|known| known.is(kind)) {
                kinds.push(*kind);
            }
        }
        set.slots.iter().for_each(|slot| kinds_read(slot.node, kinds));
    }
}

#[cfg(test)]
mod tests;
