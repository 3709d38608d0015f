//! Which worker a row belongs to: the keys of a table, split into ranges that lie side by side.
//!
//! Ranges and not hashes: no hash is computed alike by every source, so that a snapshot and the stream after it could
//! disagree on whose a row is. Split points are computed once, from the smallest and the largest key that were sampled,
//! and kept; the snapshot and the stream both ask [`KeyRanges::find`].
//!
//! Where a primary key has several columns the ranges are over one of them, which is enough for every row to belong to
//! one worker: `chunkColumn` where the table names it, else the first.

mod choose;
mod decimal;
mod key;
mod number;
mod sample;
#[cfg(test)]
mod tests;
mod text;
mod timestamp;

use std::fmt;

pub use choose::TooFewKeys;
pub use decimal::Decimal;
pub use key::{BadKey, Key, KeyType};
pub use sample::{Sample, SampledKeys};
pub use timestamp::Timestamp;

use crate::definition::Table;

/// Keys of one type, split into ranges that lie side by side and cover all of them: the first has no lower end, the last
/// no upper end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRanges {
    key_type: KeyType,
    /// Where a range ends and the next one begins, which it belongs to. Strictly increasing.
    splits: Vec<Key>,
}

/// One of the ranges: its keys are at least `from` and less than `before`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyRange<'a> {
    /// The smallest key, or none where there is no lower end.
    pub from: Option<&'a Key>,
    /// The first key beyond, or none where there is no upper end.
    pub before: Option<&'a Key>,
}

/// A key was asked for that is of another type than the ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongType {
    /// What the ranges are of.
    pub expected: KeyType,
    /// What the key is.
    pub got: KeyType,
}

impl KeyRanges {
    /// The one range that every key belongs to.
    pub fn whole(key_type: KeyType) -> Self {
        Self { key_type, splits: Vec::new() }
    }

    /// Ranges with these ends, as they were kept. None where the keys are not all of this type or do not increase.
    pub fn from_splits(key_type: KeyType, splits: Vec<Key>) -> Option<Self> {
        let fits = splits.iter().all(|key| key.key_type() == key_type) && splits.is_sorted_by(|a, b| a < b);
        fits.then_some(Self { key_type, splits })
    }

    /// Splits what was sampled into so many ranges, as even as can be told. The same sample gives the same ranges.
    ///
    /// Between the smallest and the largest key that were sampled no range is empty. Samples between them tell where
    /// keys are dense; without them they are taken to be spread evenly.
    ///
    /// # Errors
    /// When there are fewer possible keys between the two than ranges.
    pub fn compute(sampled: &SampledKeys, number: u32) -> Result<Self, TooFewKeys> {
        Ok(Self { key_type: sampled.key_type(), splits: choose::splits(sampled, number.max(1))? })
    }

    /// The type of the keys.
    pub fn key_type(&self) -> KeyType {
        self.key_type
    }

    /// The ends of the ranges, but for the last, which has none.
    pub fn splits(&self) -> &[Key] {
        &self.splits
    }

    /// How many ranges there are: at least one.
    pub fn number(&self) -> u32 {
        u32::try_from(self.splits.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The index of the range that a key belongs to, which is the index of its worker group: exactly one for every key,
    /// and for a larger key never a smaller one.
    ///
    /// # Errors
    /// When the key is of another type than the ranges.
    pub fn find(&self, key: &Key) -> Result<u32, WrongType> {
        if key.key_type() != self.key_type {
            return Err(WrongType { expected: self.key_type, got: key.key_type() });
        }
        let index = self.splits.partition_point(|split| split <= key);
        Ok(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The ranges in their order.
    pub fn iter(&self) -> impl Iterator<Item = KeyRange<'_>> {
        let begins = std::iter::once(None).chain(self.splits.iter().map(Some));
        let ends = self.splits.iter().map(Some).chain(std::iter::once(None));
        begins.zip(ends).map(|(from, before)| KeyRange { from, before })
    }
}

/// The column over which a table's keys are split: `chunkColumn`, else the first of the primary key. None where the
/// table has no primary key.
pub fn column(table: &Table) -> Option<&str> {
    table.chunk_column.as_deref().or_else(|| table.primary_key.first().map(String::as_str))
}

impl KeyRange<'_> {
    /// The range in words: `10 <= id < 20`.
    pub fn of_column(&self, column: &str) -> String {
        match (self.from, self.before) {
            (None, None) => format!("every {column}"),
            (None, Some(before)) => format!("{column} < {before}"),
            (Some(from), None) => format!("{from} <= {column}"),
            (Some(from), Some(before)) => format!("{from} <= {column} < {before}"),
        }
    }
}

impl fmt::Display for WrongType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key of type {}, but the ranges are of type {}", self.got, self.expected)
    }
}

impl std::error::Error for WrongType {}
