//! Changes of what is kept, one after the other.

use super::{Kept, KeptError, KeptTable, file, json};
use std::collections::BTreeMap;
use std::fs::File;

/// What is kept, while nobody else may change it. Nothing is changed until [`Change::write`].
#[derive(Debug)]
pub struct Change<'a> {
    /// As it is on the disk.
    kept: &'a mut Kept,
    next: BTreeMap<String, KeptTable>,
    /// Held as long as this is.
    _lock: File,
}

impl Kept {
    /// Begins a change: waits until no other process and nobody else in this one changes what is kept in this folder,
    /// and reads it again, so that nothing is lost that was kept in between. It blocks the thread.
    ///
    /// Whoever waits is told of in the log.
    ///
    /// # Errors
    /// When the folder can't be written in, and those of [`Kept::read`].
    pub fn change(&mut self) -> Result<Change<'_>, KeptError> {
        let lock = file::lock(&file::place(&self.file)?)?;
        *self = Self::read_file(&self.file)?;
        Ok(Change { next: self.tables.clone(), kept: self, _lock: lock })
    }
}

impl Change<'_> {
    /// What is kept until this is written.
    pub fn kept(&self) -> &Kept {
        self.kept
    }

    /// Keeps the ranges of a table, unless some are kept of it: those win, and have to be forgotten first.
    pub fn keep(&mut self, target: &str, table: KeptTable) {
        self.next.entry(target.to_owned()).or_insert(table);
    }

    /// Forgets the ranges of a table. Gives what is forgotten.
    pub fn forget(&mut self, target: &str) -> Option<KeptTable> {
        self.next.remove(target)
    }

    /// Writes the file, whole or not at all: a crash at any moment leaves the old one or the new one. Nothing is written
    /// where nothing was changed.
    ///
    /// # Errors
    /// When it is not known to be on the disk. Either the old one or the new one is there then.
    pub fn write(self) -> Result<(), KeptError> {
        if self.next == self.kept.tables {
            return Ok(());
        }
        let place = file::place(&self.kept.file)?;
        let written = json::text(&self.next).and_then(|text| file::replace(&place, text.as_bytes()));
        written.map_err(|error| KeptError::Write(self.kept.file.clone(), error))?;
        self.kept.tables = self.next;
        Ok(())
    }
}
