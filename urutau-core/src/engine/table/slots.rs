//! The records of one kind's objects: side by side, so that nothing is lost between them, and found by name or by place.

use super::super::key::ObjectKey;
use super::slot::Slot;
use hashbrown::HashTable;
use std::hash::{BuildHasher, RandomState};

/// Room for this many is kept.
const CROWD: usize = 256;

/// The records of one kind's objects.
#[derive(Default)]
pub(super) struct Slots {
    rows: Vec<Option<Row>>,
    /// The places of the rows, by the hash of their names.
    names: HashTable<u32>,
    /// The places where nothing is.
    free: Vec<u32>,
    hasher: RandomState,
}

/// Where a record is, for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot(u32);

struct Row {
    key: ObjectKey,
    slot: Slot,
}

impl Slots {
    /// The record of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Slot> {
        self.find(name).and_then(|spot| self.at(spot)).map(|(_, slot)| slot)
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Slot> {
        self.find(name).and_then(|spot| self.at_mut(spot))
    }

    /// The place of the record of an object.
    pub(super) fn find(&self, name: &str) -> Option<Spot> {
        self.names.find(self.hasher.hash_one(name), |at| name_at(&self.rows, *at) == name).copied().map(Spot)
    }

    /// What is at a place.
    pub(super) fn at(&self, spot: Spot) -> Option<(&ObjectKey, &Slot)> {
        row_at(&self.rows, spot.0).map(|row| (&row.key, &row.slot))
    }

    /// The same, to be changed.
    pub(super) fn at_mut(&mut self, spot: Spot) -> Option<&mut Slot> {
        self.rows.get_mut(spot.0 as usize)?.as_mut().map(|row| &mut row.slot)
    }

    /// The place of the record of an object, which is made if there is none.
    pub(super) fn place(&mut self, key: &ObjectKey) -> Spot {
        if let Some(spot) = self.find(key.as_str()) {
            return spot;
        }
        self.put(Row { key: key.clone(), slot: Slot::default() })
    }

    /// Puts in a record of an object that has none.
    fn put(&mut self, row: Row) -> Spot {
        // Nobody has four billion objects.
        let end = || u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let at = self.free.pop().unwrap_or_else(end);
        match self.rows.get_mut(at as usize) {
            Some(place) => *place = Some(row),
            None => self.rows.push(Some(row)),
        }
        let Self { rows, names, hasher, .. } = self;
        let hash = |at: &u32| hasher.hash_one(name_at(rows, *at));
        names.insert_unique(hash(&at), at, hash);
        Spot(at)
    }

    /// Takes out the record at a place.
    pub(super) fn take(&mut self, spot: Spot) -> Option<(ObjectKey, Slot)> {
        let Row { key, slot } = self.rows.get_mut(spot.0 as usize)?.take()?;
        if let Ok(found) = self.names.find_entry(self.hasher.hash_one(key.as_str()), |at| *at == spot.0) {
            found.remove();
        }
        self.free.push(spot.0);
        Some((key, slot))
    }

    /// Moves the records together where a crowd has left three quarters of the places, and gives the room back. Tells of
    /// the owner of each that moves, if it has one, and from where to where.
    pub(super) fn close_up(&mut self, mut moved: impl FnMut(Option<&ObjectKey>, Spot, Spot)) {
        let left = self.names.len();
        if self.rows.len() <= CROWD || left > self.rows.len() / 4 {
            return;
        }
        let before = std::mem::replace(&mut self.rows, Vec::with_capacity(2 * left));
        self.names = HashTable::new();
        self.free = Vec::new();
        for (from, row) in (0..).zip(before).filter_map(|(from, row)| Some((from, row?))) {
            let owner = row.slot.owner.clone();
            let to = self.put(row);
            moved(owner.as_ref(), Spot(from), to);
        }
    }

    /// Every record with its name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&ObjectKey, &Slot)> {
        self.rows.iter().flatten().map(|row| (&row.key, &row.slot))
    }
}

fn row_at(rows: &[Option<Row>], at: u32) -> Option<&Row> {
    rows.get(at as usize)?.as_ref()
}

fn name_at(rows: &[Option<Row>], at: u32) -> &str {
    row_at(rows, at).map_or("", |row| row.key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: usize) -> ObjectKey {
        ObjectKey::new("team-a", &format!("w{number}"))
    }

    /// Every record is found by its name and at its place, and nothing else is.
    fn check(slots: &Slots, there: &[(usize, Spot)]) {
        assert_eq!(slots.iter().count(), there.len());
        for (number, spot) in there {
            assert_eq!(slots.find(key(*number).as_str()), Some(*spot));
            assert_eq!(slots.at(*spot).map(|(key, _)| key), Some(&key(*number)));
        }
    }

    #[test]
    fn records_stay_where_they_are_while_others_come_and_go() {
        let mut slots = Slots::default();
        let mut there: Vec<(usize, Spot)> = Vec::new();
        // A small linear congruential generator: the same in each run.
        let mut random = 7_usize;
        for step in 0..20_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // It fills for a while and empties for a while.
            let fills = (step / 2_000) % 2 == 0;
            if there.is_empty() || (random >> 33).is_multiple_of(4) != fills {
                there.push((step, slots.place(&key(step))));
            } else {
                let (number, spot) = there.swap_remove((random >> 40) % there.len());
                assert_eq!(slots.take(spot).map(|(key, _)| key), Some(key(number)));
                assert_eq!(slots.find(key(number).as_str()), None);
                assert!(slots.take(spot).is_none());
            }
            if step % 500 == 0 {
                check(&slots, &there);
            }
        }
        check(&slots, &there);
    }

    #[test]
    fn what_a_crowd_took_is_given_back() {
        let mut slots = Slots::default();
        let places: Vec<_> = (0..10_000).map(|number| slots.place(&key(number))).collect();
        let stays = |number: usize| number % 1_000 == 999;
        for (number, place) in places.iter().enumerate().filter(|(number, _)| !stays(*number)) {
            assert!(slots.take(*place).is_some(), "{number}");
        }
        let mut moves = Vec::new();
        slots.close_up(|_, from, to| moves.push((from, to)));
        assert!(slots.rows.capacity() <= CROWD && slots.free.capacity() <= CROWD && slots.names.capacity() <= CROWD);
        let there: Vec<_> = (0..10_000).filter(|number| stays(*number)).zip(&moves).collect();
        assert_eq!(there.len(), 10);
        for (number, (from, _)) in &there {
            assert_eq!(*from, places[*number]);
        }
        check(&slots, &there.into_iter().map(|(number, (_, to))| (number, *to)).collect::<Vec<_>>());
        slots.close_up(|_, _, _| panic!("few stay where they are"));
    }
}
