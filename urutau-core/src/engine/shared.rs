//! Watches that the controllers of a process share: one stream for each kind and place, told to everyone who asked.

use super::seen::{Extent, Seen};
use super::sync::lock;
use super::watch::{Told, follow};
use crate::kind::KindId;
use kube::Api;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The watches of a process. Controllers that are given the same ones watch each kind in each namespace once, however
/// many of them own or read objects of it.
///
/// Clones are the same. Controllers that share watches reach the API server as the same user: what the one may see, the
/// other is shown.
#[derive(Clone, Default)]
pub struct Watches(Arc<Mutex<HashMap<Key, Entry>>>);

/// How much is read of an object, its kind, and the namespace; empty for all of them.
type Key = (TypeId, KindId, String);

struct Entry {
    /// The [`Tellers`] of this key.
    tellers: Box<dyn Any + Send>,
    next: u64,
    task: JoinHandle<()>,
    /// Done when the stream ends by itself, and not when another takes its place.
    ended: CancellationToken,
}

type Teller<V> = Box<dyn Fn(&Told<Seen<V>>) + Send>;
type Tellers<V> = Arc<Mutex<Vec<(u64, Teller<V>)>>>;

impl Watches {
    /// Tells everything that is there and everything that becomes of it, for ever. When somebody comes later, everyone is
    /// told from the beginning.
    pub(super) async fn follow<V: Extent>(
        &self,
        api: Api<Seen<V>>,
        kind: KindId,
        namespace: &str,
        tell: impl Fn(&Told<Seen<V>>) + Send + 'static,
    ) {
        let member = self.join((TypeId::of::<V>(), kind, namespace.to_owned()), api, Box::new(tell));
        member.ended.cancelled().await;
    }

    fn join<V: Extent>(&self, key: Key, api: Api<Seen<V>>, tell: Teller<V>) -> Member<V> {
        let mut entries = lock(&self.0);
        let before = entries.remove(&key);
        let (tellers, id, ended, before) = match before {
            Some(Entry { tellers, next, task, ended }) => {
                let tellers = tellers.downcast::<Tellers<V>>().map(|tellers| *tellers).unwrap_or_default();
                (tellers, next, ended, Some(task))
            }
            None => (Tellers::<V>::default(), 0, CancellationToken::new(), None),
        };
        lock(&tellers).push((id, tell));
        let (all, end) = (Arc::clone(&tellers), EndOf(ended.clone()));
        let task = tokio::spawn(async move {
            if let Some(before) = before {
                before.abort();
                // Nothing of it must come between what follows.
                let _ = before.await;
            }
            follow(api, |told| lock(&all).iter().for_each(|(_, tell)| tell(&told))).await;
            end.0.cancel();
        });
        let entry = Entry { tellers: Box::new(Arc::clone(&tellers)), next: id + 1, task, ended: ended.clone() };
        entries.insert(key.clone(), entry);
        Member { watches: self.clone(), key, id, tellers, ended }
    }
}

/// A panic ends a stream for everyone who is told by it.
struct EndOf(CancellationToken);

impl Drop for EndOf {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cancel();
        }
    }
}

/// One who is told, until it is dropped. The last one ends the stream.
struct Member<V: Extent> {
    watches: Watches,
    key: Key,
    id: u64,
    tellers: Tellers<V>,
    ended: CancellationToken,
}

impl<V: Extent> Drop for Member<V> {
    fn drop(&mut self) {
        let mut entries = lock(&self.watches.0);
        let mut tellers = lock(&self.tellers);
        tellers.retain(|(id, _)| *id != self.id);
        if tellers.is_empty()
            && let Some(entry) = entries.remove(&self.key)
        {
            entry.task.abort();
        }
    }
}

impl fmt::Debug for Watches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<_> =
            lock(&self.0).keys().map(|(_, kind, namespace)| (kind.kind, namespace.clone())).collect();
        kinds.sort();
        f.debug_tuple("Watches").field(&kinds).finish()
    }
}
