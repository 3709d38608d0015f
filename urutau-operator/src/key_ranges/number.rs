//! Keys that are numbers: their places on a line of whole units.

use super::{Decimal, Key, KeyType, Timestamp};
use num_bigint::BigInt;

/// A line on which every key of a type has a place: a whole number of units.
pub(super) struct Numbers {
    key_type: KeyType,
    /// How many digits behind the point a unit has. None but for decimals and timestamps.
    scale: usize,
}

impl Numbers {
    pub(super) fn new(key_type: KeyType, scale: usize) -> Self {
        Self { key_type, scale }
    }

    /// The place of a key.
    pub(super) fn place(&self, key: &Key) -> BigInt {
        match key {
            Key::Integer(number) => BigInt::from(*number),
            Key::Uuid(number) => BigInt::from(*number),
            Key::Decimal(number) => number.units(self.scale),
            Key::Timestamp(time) => time.units(self.scale),
            // Texts have a line of their own.
            Key::String(_) => BigInt::default(),
        }
    }

    /// The key at a place between two keys.
    pub(super) fn key(&self, place: &BigInt) -> Key {
        match self.key_type {
            KeyType::Uuid => Key::Uuid(u128::try_from(place).unwrap_or(u128::MAX)),
            KeyType::Decimal => Key::Decimal(Decimal::of_units(place, self.scale)),
            KeyType::Timestamp => Key::Timestamp(Timestamp::of_units(place, self.scale)),
            KeyType::Integer | KeyType::String => Key::Integer(i128::try_from(place).unwrap_or(i128::MAX)),
        }
    }
}
