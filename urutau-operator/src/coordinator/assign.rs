//! Which keys the workers of each table get: what is kept, else what follows from what was sampled.

use super::words::{forget, shown};
use super::{Config, ConfiguredTable, Kept, KeptError, KeptTable};
use crate::key_ranges::{KeyRanges, Sample, SampledKeys};
use crate::shape::{At, Problem, Problems, Reader, join, nearest};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

static READER: LazyLock<Reader<BTreeMap<String, Sample>>> = LazyLock::new(Reader::new);

/// What was sampled of the keys of tables, by their targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds(pub BTreeMap<String, SampledKeys>);

/// The ranges of a table, and where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assigned {
    /// The column that they are ranges of.
    pub column: String,
    /// The ranges: range `i` belongs to the worker with the index `i`.
    pub ranges: KeyRanges,
    /// Where they come from.
    pub origin: Origin,
}

/// Where the ranges of a table come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// They were kept.
    Kept,
    /// They follow from what was sampled, and are to be kept before any worker learns of them.
    Computed,
}

/// Why no ranges were kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeepError {
    /// What [`assign`] refuses, each by its path in the document.
    Assign(Vec<Problem>),
    /// What is kept could not be read or written.
    Kept(KeptError),
}

impl Bounds {
    /// Reads what was sampled: for each target type, min, max and, where there are any, samples and scale.
    ///
    /// # Errors
    /// Everything that is wrong with it, each by its path, and targets that the document does not have.
    pub fn parse(value: &Value, config: &Config) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        let read = READER.read(value, "", &mut problems).unwrap_or_default();
        let targets = || config.tables.iter().map(|table| table.workers.target.as_str());
        let mut bounds = BTreeMap::new();
        for (target, sample) in read {
            if !targets().any(|known| known == target) {
                let fix = match nearest(&target, targets()) {
                    Some(meant) => format!("did you mean {meant:?}?"),
                    None => "remove it, or correct the target".to_owned(),
                };
                problems.remark(Problem::new(join("", &target), "no table of the document has this target", fix));
            }
            let sampled = sample.check(&mut At::new(&join("", &target), &mut problems));
            bounds.extend(sampled.map(|sampled| (target, sampled)));
        }
        if problems.is_empty() { Ok(Self(bounds)) } else { Err(problems.into_sorted()) }
    }
}

/// The ranges of each table, in the order of the document. None for a table with one worker, which gets every key, and
/// for one of whose keys nothing is known.
///
/// What is kept wins. It is never changed: where it does not fit the document any more, somebody has to decide.
///
/// # Errors
/// Tables whose number of workers or key is not that of their kept ranges, and tables with fewer keys than workers; each
/// by its path in the document.
pub fn assign(config: &Config, kept: &Kept, bounds: &Bounds) -> Result<Vec<Option<Assigned>>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut assigned = Vec::new();
    for (index, table) in config.tables.iter().enumerate() {
        let sampled = bounds.0.get(&table.workers.target);
        let ranges = match kept.get(&table.workers.target) {
            Some(entry) => table.keeps(entry, sampled, kept).map(Some),
            None => table.computes(sampled),
        };
        match ranges {
            Ok(ranges) => assigned.push(ranges),
            Err(found) => problems.extend(found.into_iter().map(|problem| problem.under(&format!("tables[{index}]")))),
        }
    }
    if problems.is_empty() { Ok(assigned) } else { Err(problems) }
}

/// The ranges of each table, as [`assign`] gives them, all of them kept: they are on the disk when this returns, and no
/// worker may learn of its keys before.
///
/// What is kept wins, by whomever and whenever: where there is something to keep, this waits for whoever else changes what
/// is kept, reads it again and assigns anew, so that of several at once all get the same ranges. It blocks the thread.
///
/// # Errors
/// Those of [`assign`], and when the ranges are not known to be on the disk. The process must not go on then: at its next
/// start, what is kept wins.
pub fn keep(kept: &mut Kept, config: &Config, bounds: &Bounds) -> Result<Vec<Option<Assigned>>, KeepError> {
    let assigned = assign(config, kept, bounds).map_err(KeepError::Assign)?;
    // A steady state writes nothing, and waits for nobody.
    if assigned.iter().flatten().all(|ranges| ranges.origin == Origin::Kept) {
        return Ok(assigned);
    }
    let mut change = kept.change().map_err(KeepError::Kept)?;
    let mut assigned = assign(config, change.kept(), bounds).map_err(KeepError::Assign)?;
    for (table, ranges) in config.tables.iter().zip(&mut assigned) {
        if let Some(Assigned { column, ranges, origin: origin @ Origin::Computed }) = ranges {
            change.keep(&table.workers.target, KeptTable { column: column.clone(), ranges: ranges.clone() });
            *origin = Origin::Kept;
        }
    }
    change.write().map_err(KeepError::Kept)?;
    Ok(assigned)
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assign(problems) => {
                f.write_str("the key ranges of some tables can't be told")?;
                problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
            }
            Self::Kept(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KeepError {}

impl ConfiguredTable {
    fn keeps(&self, entry: &KeptTable, sampled: Option<&SampledKeys>, kept: &Kept) -> Result<Assigned, Vec<Problem>> {
        let (target, file) = (shown(&self.workers.target), kept.file().display());
        let anew = format!("or, to take a new snapshot of the table, run: {}", forget(&self.workers.target));
        let column = shown(&entry.column);
        let mut problems = Vec::new();
        let mut refuse = |path: &str, what: String, fix: String| {
            let message = format!("{target}: {what}, which are kept in {file}");
            problems.push(Problem::new(path, message, format!("{fix}, {anew}")));
        };
        let (now, then) = (self.workers.ranges(), entry.ranges.number());
        if now != then {
            let may_grow = self.table.elastic_max() == Some(then);
            let (field, fix) = match self.workers.stateful_set() {
                Some(_) => ("workers.max", format!("set max back to {then}")),
                None if may_grow => ("workers.number", format!("set number to {then}, or turn autoscaling on again")),
                None => ("workers.number", format!("set number back to {then}")),
            };
            let workers = if now == 1 { "worker" } else { "workers" };
            refuse(field, format!("{now} {workers}, but its keys were split into {then} ranges"), fix);
        }
        if self.column() != Some(&entry.column) {
            let now = self
                .column()
                .map_or_else(|| "no key now".to_owned(), |column| format!("split by {} now", shown(column)));
            let field = if self.table.chunk_column.is_some() { "chunkColumn" } else { "primaryKey" };
            let what = format!("{now}, but its keys were split by {column} into ranges");
            refuse(field, what, format!("set it back to {column}"));
        }
        if let Some(sampled) = sampled.filter(|sampled| sampled.key_type() != entry.ranges.key_type()) {
            let (now, then) = (sampled.key_type(), entry.ranges.key_type());
            let what = format!("{column} is of type {now} now, but its keys were split into ranges of type {then}");
            refuse("primaryKey", what, format!("set the type of the column back to {then}"));
        }
        if problems.is_empty() {
            Ok(Assigned { column: entry.column.clone(), ranges: entry.ranges.clone(), origin: Origin::Kept })
        } else {
            Err(problems)
        }
    }

    fn computes(&self, sampled: Option<&SampledKeys>) -> Result<Option<Assigned>, Vec<Problem>> {
        let (number, target) = (self.workers.ranges(), &self.workers.target);
        let Some((sampled, column)) = sampled.zip(self.column()).filter(|_| number > 1) else { return Ok(None) };
        match KeyRanges::compute(sampled, number) {
            Ok(ranges) => Ok(Some(Assigned { column: column.to_owned(), ranges, origin: Origin::Computed })),
            Err(few) => {
                let field = if self.workers.stateful_set().is_some() { "workers.max" } else { "workers.number" };
                let fix = format!("write {} or less, or correct min, max and scale", few.keys);
                Err(vec![Problem::new(field, format!("{}: {few}", shown(target)), fix)])
            }
        }
    }
}
