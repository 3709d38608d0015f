//! The key ranges that outlive the process: `key-ranges.json` in the state folder.
//!
//! A key must never change its worker between the snapshot and the stream, so ranges are computed once and what is kept
//! wins from then on. A table with one worker has nothing to keep. The entry of a table that the document no longer names
//! stays: a table that comes back has the ranges that it had, and only [`Kept::forget`] loses any.

mod file;
mod json;

use crate::key_ranges::KeyRanges;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
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

/// Why kept ranges could not be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeptError {
    /// The file, or the folder that it is to stand in, could not be read.
    Read(PathBuf, io::Error),
    /// The file is not what was written.
    Damaged(PathBuf, String),
    /// The file is of a version that is not known here.
    Newer(PathBuf, u64),
    /// The file could not be written.
    Write(PathBuf, io::Error),
}

impl Kept {
    /// Reads what is kept in a folder. Nothing is, where there is no such file.
    ///
    /// # Errors
    /// When the file can't be read, or not be understood to its end.
    pub fn read(folder: &Path) -> Result<Self, KeptError> {
        let file = folder.join(NAME);
        let tables = match std::fs::read(&file) {
            Ok(bytes) => json::read(&file, &bytes)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(KeptError::Read(file, error)),
        };
        Ok(Self { file, tables })
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

    /// Keeps the ranges of a table from the next [`Kept::write`] on. What is kept of it already is replaced.
    pub fn keep(&mut self, target: &str, table: KeptTable) {
        self.tables.insert(target.to_owned(), table);
    }

    /// Forgets the ranges of a table from the next [`Kept::write`] on. Gives what was forgotten.
    pub fn forget(&mut self, target: &str) -> Option<KeptTable> {
        self.tables.remove(target)
    }

    /// Writes the file, whole or not at all: a crash at any moment leaves the old one or the new one.
    ///
    /// # Errors
    /// When it is not known to be on the disk. Either the old one or the new one is there then.
    pub fn write(&self) -> Result<(), KeptError> {
        let written = json::text(&self.tables).and_then(|text| file::replace(&self.file, text.as_bytes()));
        written.map_err(|error| KeptError::Write(self.file.clone(), error))
    }
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ANEW: &str = "move it away if a new snapshot of every table with several workers is to be taken";
        match self {
            Self::Read(file, error) => {
                write!(f, "{}: can't be read: {error}; let this process read it", file.display())
            }
            Self::Damaged(file, why) => {
                write!(f, "{}: {why}; nothing was changed, restore the file from a copy, or {ANEW}", file.display())
            }
            Self::Newer(file, version) => write!(
                f,
                "{}: is of version {version}, and this program knows no version above {}; nothing was changed, run the \
                 program that wrote it, or {ANEW}",
                file.display(),
                json::VERSION
            ),
            Self::Write(file, error) => write!(
                f,
                "{}: can't be written: {error}; see that its folder is there and that this process may write in it, since \
                 key ranges have to outlive it",
                file.display()
            ),
        }
    }
}

impl std::error::Error for KeptError {}
