//! The key ranges that outlive the process: `key-ranges.json` in the state folder.
//!
//! A key must never change its worker between the snapshot and the stream, so ranges are computed once and what is kept
//! wins from then on. A table with one worker has nothing to keep. The entry of a table that the document no longer names
//! stays: a table that comes back has the ranges that it had, and only [`Change::forget`] loses any. Changes are made one
//! after the other, see [`Kept::change`].

mod change;
mod error;
mod file;
mod json;

pub use change::Change;
pub use error::KeptError;

use crate::key_ranges::KeyRanges;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "key-ranges.json";

/// The key ranges of every table that were kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    file: PathBuf,
    tables: BTreeMap<String, KeptTable>,
}

/// The key ranges of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptTable {
    /// The column that they are ranges of.
    pub column: String,
    /// The ranges.
    pub ranges: KeyRanges,
}

impl Kept {
    /// Reads what is kept in a folder. Nothing is, where there is no such file.
    ///
    /// # Errors
    /// When the file can't be read, or not be understood to its end.
    pub fn read(folder: &Path) -> Result<Self, KeptError> {
        Self::read_file(&folder.join(NAME))
    }

    fn read_file(file: &Path) -> Result<Self, KeptError> {
        let tables = match file::read(&file::place(file)?)? {
            Some(bytes) => json::read(file, &bytes)?,
            None => BTreeMap::new(),
        };
        Ok(Self { file: file.to_owned(), tables })
    }

    /// What would be read if this were kept.
    #[cfg(test)]
    pub(super) fn of(folder: &Path, tables: impl IntoIterator<Item = (&'static str, KeptTable)>) -> Self {
        let tables = tables.into_iter().map(|(target, table)| (target.to_owned(), table)).collect();
        Self { file: folder.join(NAME), tables }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What is kept of a table, by its target.
    pub fn get(&self, target: &str) -> Option<&KeptTable> {
        self.tables.get(target)
    }

    /// The targets of which something is kept, sorted.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }
}
