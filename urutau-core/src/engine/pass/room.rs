//! What has to be gone before something new can come: what members declared that it comes after, and declare no longer.

use super::super::fault::{Fault, describe};
use super::super::report::Why;
use super::super::sync::lock;
use super::super::table::Target;
use super::State;
use super::object::Entries;
use super::prune::{Kept, remove, unseen};
use crate::declare::Declare;
use crate::member::Member;
use crate::plan::{Entry, Item};

impl<S: Declare> Entries<'_, S> {
    /// Removes what has to be gone before an entry's object can be made; how it stands with the entry while that is not.
    pub(super) async fn make_room(&self, entry: &Entry, item: &Item) -> Option<State> {
        // Others may have to wait for the same.
        let _room = self.room.lock().await;
        let kinds = <S as Member>::NODE.kinds();
        let kept = Kept::new(self.all, &kinds);
        let left = lock(&self.core.table).left(&self.owner.key, |kind, object| {
            let former = entry.former.iter().any(|former| former.has(&kinds[kind].kind, object.name()));
            former && !kept.has(kind, &kinds[kind].kind, object)
        });
        if let Some(why) = unseen(self.core, &kinds, left.unseen).into_iter().next() {
            return Some(why.map_or_else(State::Failed, State::Waits));
        }
        let mut waits = Vec::new();
        for (surplus, going) in left.there {
            let kind = kinds[surplus.kind].kind;
            let object = describe(&kind, surplus.object.name());
            if !self.certain {
                waits.push(object);
                continue;
            }
            let (place, key) = (surplus.kind, surplus.object.clone());
            let gone = if going { Ok(false) } else { remove(self.core, self.owner, kind, surplus).await };
            let target = Target { kind: place, namespace: key.namespace(), name: key.name(), owner: &self.owner.key };
            let mut table = lock(&self.core.table);
            match gone {
                Ok(true) => table.absent(target),
                Ok(false) if table.deleting(target, Fault::Deleting { object: object.clone() }) => waits.push(object),
                Ok(false) => {}
                Err(fault) => return Some(State::Failed(fault)),
            }
        }
        let text = format!("{} is made when {} is gone", describe(&item.object.kind, &item.name), waits.join(", "));
        (!waits.is_empty()).then(|| State::Waits(Why::new("WaitingForRemoval", text)))
    }
}
