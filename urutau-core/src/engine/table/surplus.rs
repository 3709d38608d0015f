//! What an owner has and does not declare any longer.

use super::super::key::{ObjectKey, Uid};
use super::slot::Slot;
use super::{KindTable, Table, Trouble};

/// An object of an owner that is not declared.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Surplus {
    pub(in super::super) kind: usize,
    pub(in super::super) object: ObjectKey,
    pub(in super::super) uid: Uid,
}

/// An object of an owner that is not declared, of which it can't be told whether it is there.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Unseen {
    pub(in super::super) kind: usize,
    pub(in super::super) object: ObjectKey,
    /// Why not.
    pub(in super::super) why: String,
}

/// What an owner has and does not declare.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Undeclared {
    /// What is there.
    pub(in super::super) there: Vec<Surplus>,
    /// What may be there. The record of it is kept.
    pub(in super::super) unseen: Vec<Unseen>,
}

/// What is left of an owner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Left {
    /// What is there, and whether it is about to go.
    pub(in super::super) there: Vec<(Surplus, bool)>,
    /// What may be there.
    pub(in super::super) unseen: Vec<Unseen>,
}

impl Table {
    /// What is left of an owner among these objects.
    pub(in super::super) fn left(&self, owner: &ObjectKey, is: impl Fn(usize, &ObjectKey) -> bool) -> Left {
        let mut left = Left::default();
        let Some(known) = self.owners.get(owner) else { return left };
        for place in &known.objects {
            let kind = place.kind();
            let table = &self.kinds[kind];
            let Some((object, slot)) = table.slots.at(place.at).filter(|(object, _)| is(kind, object)) else {
                continue;
            };
            if let Some(why) = slot.unseen(table, object) {
                left.unseen.push(Unseen { kind, object: object.clone(), why });
            } else if let Some(live) = slot.live.as_ref().filter(|live| live.controller == known.controller) {
                let surplus = Surplus { kind, object: object.clone(), uid: live.uid.clone() };
                left.there.push((surplus, live.deleting));
            }
        }
        left
    }

    /// The objects of an owner that are not declared, newest last.
    pub(in super::super) fn surplus(
        &mut self,
        owner: &ObjectKey,
        keep: impl Fn(usize, &ObjectKey) -> bool,
    ) -> Undeclared {
        let mut undeclared = Undeclared::default();
        let Some(known) = self.owners.get(owner) else { return undeclared };
        let (controller, objects) = (known.controller, known.objects.clone());
        for place in objects {
            let kind = place.kind();
            let table = &self.kinds[kind];
            let Some((object, slot)) = table.slots.at(place.at).filter(|(object, _)| !keep(kind, object)) else {
                continue;
            };
            let object = object.clone();
            if let Some(why) = slot.unseen(table, &object) {
                undeclared.unseen.push(Unseen { kind, object, why });
                continue;
            }
            match &slot.live {
                Some(live) if live.controller == controller && !live.deleting => {
                    undeclared.there.push(Surplus { kind, object, uid: live.uid.clone() });
                }
                // Gone, going, or no longer ours: there is nothing to remove.
                _ => self.dropped(kind, &object),
            }
        }
        undeclared
    }

    /// Notes that an object is not ours to keep any longer.
    pub(in super::super) fn dropped(&mut self, kind: usize, object: &ObjectKey) {
        if let Some(slot) = self.kinds[kind].slots.get_mut(object.as_str()) {
            slot.want = None;
            self.tidy(kind, object.as_str());
        }
    }
}

impl Slot {
    /// Why it can't be told whether an object is there that we have a record of. Without its API it is not.
    fn unseen(&self, table: &KindTable, object: &ObjectKey) -> Option<String> {
        if self.live.is_some() || self.want.is_none() {
            return None;
        }
        match table.unseen(object.namespace())? {
            Trouble::Absent => None,
            Trouble::Other(why) => Some(why),
        }
    }
}
