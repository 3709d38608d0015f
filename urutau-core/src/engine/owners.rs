//! The owners that there are.

use super::key::ObjectKey;
use super::owner::Owner;
use super::sync::lock;
use serde_json::Value;
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
    /// The generation and the trigger that a watch has told of. The answer to a write of ours may show a change before that:
    /// whoever made it was not worked on for it, so it is still news.
    told: (Option<i64>, u64),
    /// Boxed, as the next: after a start there is none of either.
    written: Option<Box<Written>>,
    /// A status that is to be written, and was let wait.
    overdue: Option<Box<Overdue>>,
}

struct Overdue {
    since: Instant,
    status: Value,
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

/// The bytes that an owner takes while it is kept: the compressed text, what is beside it, and its place in the map.
#[cfg(feature = "hot-paths")]
pub(super) fn bytes_of(owner: &Owner) -> usize {
    let heap = owner.json.room() + owner.claims.len() + owner.key.to_string().len();
    heap + size_of::<(ObjectKey, Kept)>() + size_of::<Owner>() + 2 * COUNTS
}

/// What an `Arc` adds: two counts.
#[cfg(feature = "hot-paths")]
const COUNTS: usize = 2 * size_of::<usize>();

impl Kept {
    fn new(owner: Owner) -> Self {
        Self { told: (owner.generation, owner.trigger), owner: Arc::new(owner), written: None, overdue: None }
    }

    /// Puts the owner as it is now in the place of what was known of it, unless that is newer.
    fn replace(&mut self, owner: Owner) -> Option<Arc<Owner>> {
        if owner.version < self.owner.version && owner.version != 0 {
            return None;
        }
        Some(std::mem::replace(&mut self.owner, Arc::new(owner)))
    }

    fn written(&self) -> Written {
        self.written.as_deref().copied().unwrap_or_default()
    }

    /// The same for an owner that a watch tells of, and what is new about it.
    fn see(&mut self, owner: Owner) -> Change {
        let Some(before) = self.replace(owner) else { return Change::Nothing };
        let now = &self.owner;
        let told = std::mem::replace(&mut self.told, (now.generation, now.trigger));
        if before.uid != now.uid {
            (self.written, self.overdue) = (None, None);
            Change::New
        } else if told.0 != now.generation {
            Change::Generation
        } else if told.1 != now.trigger {
            Change::Metadata
        } else if before.status != now.status && now.status != self.written().expected {
            Change::Status
        } else {
            Change::Nothing
        }
    }
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
            known.owners.insert(owner.key.clone(), Kept::new(owner));
            return Change::New;
        };
        kept.see(owner)
    }

    /// Notes an owner as the answer to a write of ours shows it. The answer may come after the watch has told that the
    /// owner is gone, and says nothing about what a listing shows.
    pub(super) fn answered(&self, owner: Owner) {
        if let Some(kept) = lock(&self.known).owners.get_mut(&owner.key)
            && kept.owner.uid == owner.uid
        {
            kept.replace(owner);
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

    /// Notes a status that is to be written and is let wait. Gives since when there is one.
    pub(super) fn let_wait(&self, key: &ObjectKey, status: Value) -> Option<Instant> {
        let mut known = lock(&self.known);
        let kept = known.owners.get_mut(key)?;
        let since = kept.overdue.as_ref().map_or_else(Instant::now, |overdue| overdue.since);
        kept.overdue = Some(Box::new(Overdue { since, status }));
        Some(since)
    }

    /// Notes that the status of an owner says all that it is to say.
    pub(super) fn is_told(&self, key: &ObjectKey) {
        if let Some(kept) = lock(&self.known).owners.get_mut(key) {
            kept.overdue = None;
        }
    }

    /// Takes every status that was let wait, with its owner.
    pub(super) fn take_overdue(&self) -> Vec<(Arc<Owner>, Value)> {
        let mut known = lock(&self.known);
        let taken = known.owners.values_mut().filter_map(|kept| Some((Arc::clone(&kept.owner), kept.overdue.take()?)));
        taken.map(|(owner, overdue)| (owner, overdue.status)).collect()
    }

    /// What was last written to the status of an owner.
    pub(super) fn written(&self, key: &ObjectKey) -> Written {
        lock(&self.known).owners.get(key).map(Kept::written).unwrap_or_default()
    }

    /// Changes the note of what was last written.
    pub(super) fn note(&self, key: &ObjectKey, change: impl FnOnce(&mut Written)) {
        if let Some(kept) = lock(&self.known).owners.get_mut(key) {
            change(kept.written.get_or_insert_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::owner::Packed;
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
            json: Packed::new(b"{}").unwrap(),
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
    fn d_04_a_change_that_an_answer_shows_first_is_still_news() {
        let owners = Owners::default();
        owners.see(owner("w", "u", 1));
        // Somebody edits it, and our status is written upon that before the watch tells of the edit.
        let edited = |version| Owner { trigger: 2, ..owner("w", "u", version) };
        owners.answered(edited(3));
        assert_eq!(owners.see(edited(2)), Change::Nothing, "it is older");
        assert_eq!(owners.see(edited(3)), Change::Metadata);
        assert_eq!(owners.see(edited(3)), Change::Nothing);
        owners.answered(Owner { generation: Some(2), ..edited(4) });
        assert_eq!(owners.see(Owner { generation: Some(2), ..edited(4) }), Change::Generation);
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
    fn a_status_that_waits_is_known_until_it_is_written_or_its_owner_is_another() {
        let (owners, key) = (Owners::default(), ObjectKey::new("team-a", "w"));
        assert!(owners.let_wait(&key, Value::Null).is_none(), "nobody is there");
        owners.see(owner("w", "u", 1));
        let since = owners.let_wait(&key, Value::from(1)).unwrap();
        assert_eq!(owners.let_wait(&key, Value::from(2)), Some(since));
        let taken: Vec<_> = owners.take_overdue().into_iter().map(|(owner, status)| (owner.version, status)).collect();
        assert_eq!(taken, [(1, Value::from(2))]);
        assert!(owners.take_overdue().is_empty());
        owners.let_wait(&key, Value::Null);
        owners.is_told(&key);
        assert!(owners.take_overdue().is_empty());
        owners.let_wait(&key, Value::Null);
        owners.see(owner("w", "another", 2));
        assert!(owners.take_overdue().is_empty());
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

    #[test]
    fn the_answer_to_a_write_brings_nobody_back() {
        let owners = Owners::default();
        let key = ObjectKey::new("team-a", "w");
        owners.see(owner("w", "u", 1));
        owners.answered(Owner { status: 2, ..owner("w", "u", 2) });
        assert_eq!(owners.get(&key).map(|owner| owner.status), Some(2));
        owners.answered(owner("w", "another", 3));
        assert!(owners.get(&key).is_some_and(|owner| owner.uid == "u".into()));
        // A listing that begins before the answer is here does not show it.
        owners.relist(None);
        owners.answered(Owner { status: 3, ..owner("w", "u", 4) });
        assert_eq!(owners.listed(None), [ObjectKey::new("team-a", "w")]);
        owners.answered(owner("w", "u", 5));
        assert!(owners.get(&key).is_none());
    }
}
