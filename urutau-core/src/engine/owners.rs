//! The owners that there are.

use super::key::ObjectKey;
use super::owner::Owner;
use super::sync::lock;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The owners that there are, and what was last written to their status.
#[derive(Default)]
pub(super) struct Owners {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    owners: HashMap<ObjectKey, Kept>,
    /// Those that a listing that is under way has not shown yet.
    unseen: HashSet<ObjectKey>,
}

struct Kept {
    owner: Arc<Owner>,
    written: Written,
}

/// What was last written to the status of an owner.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// The hash of the status that the write is meant to lead to: seeing it is no news.
    pub(super) expected: u64,
    /// The hash of what was sent, and of the status that the answer had.
    pub(super) sent: Option<(u64, u64)>,
    /// When.
    pub(super) at: Option<Instant>,
}

/// What an event says about an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It is new, or another of its name.
    New,
    /// It wants something else: a new generation.
    Generation,
    /// Anything else of it but the status changed.
    Metadata,
    /// Somebody else wrote its status.
    Status,
    /// Nothing that counts.
    Nothing,
}

impl Owners {
    /// The owner of this key.
    pub(super) fn get(&self, key: &ObjectKey) -> Option<Arc<Owner>> {
        lock(&self.known).owners.get(key).map(|kept| Arc::clone(&kept.owner))
    }

    /// Notes an owner as it is now.
    pub(super) fn see(&self, owner: Owner) -> Change {
        let mut known = lock(&self.known);
        known.unseen.remove(&owner.key);
        let Some(kept) = known.owners.get_mut(&owner.key) else {
            known.owners.insert(owner.key.clone(), Kept { owner: Arc::new(owner), written: Written::default() });
            return Change::New;
        };
        if owner.version < kept.owner.version && owner.version != 0 {
            return Change::Nothing;
        }
        let before = std::mem::replace(&mut kept.owner, Arc::new(owner));
        let now = &kept.owner;
        if before.uid != now.uid {
            kept.written = Written::default();
            Change::New
        } else if before.generation != now.generation {
            Change::Generation
        } else if before.trigger != now.trigger {
            Change::Metadata
        } else if before.status != now.status && now.status != kept.written.expected {
            Change::Status
        } else {
            Change::Nothing
        }
    }

    /// Notes that an owner is gone; whether it was known, and is not another by now.
    pub(super) fn gone(&self, owner: &Owner) -> bool {
        let mut known = lock(&self.known);
        known.unseen.remove(&owner.key);
        let same = known.owners.get(&owner.key).is_some_and(|kept| kept.owner.uid == owner.uid);
        same && known.owners.remove(&owner.key).is_some()
    }

    /// Notes that a listing begins of everything in a namespace, or of everything.
    pub(super) fn relist(&self, namespace: Option<&str>) {
        let mut known = lock(&self.known);
        let covered = |key: &&ObjectKey| namespace.is_none_or(|namespace| key.namespace() == namespace);
        let unseen: Vec<_> = known.owners.keys().filter(covered).cloned().collect();
        known.unseen.retain(|key| !covered(&key));
        known.unseen.extend(unseen);
    }

    /// Notes the end of that listing, and gives those that are gone.
    pub(super) fn listed(&self, namespace: Option<&str>) -> Vec<ObjectKey> {
        let mut known = lock(&self.known);
        let covered = |key: &ObjectKey| namespace.is_none_or(|namespace| key.namespace() == namespace);
        let gone: Vec<_> = known.unseen.iter().filter(|key| covered(key)).cloned().collect();
        for key in &gone {
            known.unseen.remove(key);
            known.owners.remove(key);
        }
        gone
    }

    /// Every owner.
    pub(super) fn keys(&self) -> Vec<ObjectKey> {
        lock(&self.known).owners.keys().cloned().collect()
    }

    /// What was last written to the status of an owner.
    pub(super) fn written(&self, key: &ObjectKey) -> Written {
        lock(&self.known).owners.get(key).map(|kept| kept.written).unwrap_or_default()
    }

    /// Changes the note of what was last written.
    pub(super) fn note(&self, key: &ObjectKey, change: impl FnOnce(&mut Written)) {
        if let Some(kept) = lock(&self.known).owners.get_mut(key) {
            change(&mut kept.written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str, uid: &str, version: u64) -> Owner {
        Owner {
            key: ObjectKey::new("team-a", name),
            uid: uid.into(),
            version,
            generation: Some(1),
            deleting: false,
            trigger: 1,
            status: 1,
            claims: Box::default(),
            json: "{}".into(),
        }
    }

    #[test]
    fn d_04_changes_are_told_apart() {
        let owners = Owners::default();
        assert_eq!(owners.see(owner("w", "u", 1)), Change::New);
        assert_eq!(owners.see(owner("w", "u", 2)), Change::Nothing);
        assert_eq!(owners.see(Owner { generation: Some(2), trigger: 2, ..owner("w", "u", 3) }), Change::Generation);
        assert_eq!(owners.see(Owner { generation: Some(1), ..owner("w", "u", 2) }), Change::Nothing, "it is older");
        let annotated = Owner { generation: Some(2), trigger: 3, ..owner("w", "u", 4) };
        assert_eq!(owners.see(annotated.clone()), Change::Metadata);
        // Deleted and made again with the same generation.
        assert_eq!(owners.see(Owner { uid: "v".into(), version: 5, ..annotated }), Change::New);
    }

    #[test]
    fn d_06_our_own_status_is_no_news_and_another_is() {
        let owners = Owners::default();
        owners.see(owner("w", "u", 1));
        owners.note(&ObjectKey::new("team-a", "w"), |written| written.expected = 2);
        assert_eq!(owners.see(Owner { status: 2, ..owner("w", "u", 2) }), Change::Nothing);
        assert_eq!(owners.see(Owner { status: 3, ..owner("w", "u", 3) }), Change::Status);
    }

    #[test]
    fn d_07_what_a_listing_does_not_show_is_gone() {
        let owners = Owners::default();
        owners.see(owner("a", "a", 1));
        owners.see(owner("b", "b", 1));
        owners.relist(Some("team-a"));
        owners.see(owner("a", "a", 1));
        owners.see(owner("c", "c", 1));
        assert_eq!(owners.listed(Some("team-a")), [ObjectKey::new("team-a", "b")]);
        assert!(owners.get(&ObjectKey::new("team-a", "b")).is_none());
        owners.relist(Some("team-b"));
        assert!(owners.listed(Some("team-b")).is_empty());
        assert!(owners.gone(&owner("a", "a", 9)) && !owners.gone(&owner("c", "another", 9)));
    }
}
