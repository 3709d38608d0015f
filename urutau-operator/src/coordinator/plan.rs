//! What follows from a pipeline's folders, to be looked at.

use super::words::{forget, shown};
use super::{Assigned, Config, ConfiguredTable, Kept, Origin};
use crate::key_ranges::{Key, KeyRange};
use crate::workers::Form;
use serde::Serialize;
use std::fmt;

/// The workers of a pipeline, with their keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Plan {
    /// The name that the document gives the pipeline.
    pub pipeline: String,
    /// Its tables, in the order of the document.
    pub tables: Vec<PlannedTable>,
    /// What a reader should know besides.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// The workers of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PlannedTable {
    /// What is read.
    pub source: String,
    /// What is written.
    pub target: String,
    /// The file of the template that its workers are cloned from, where there is one.
    pub template: Option<String>,
    /// The `StatefulSet` that runs them, when the table is elastic.
    pub elastic: Option<PlannedSet>,
    /// The column that decides which worker a row belongs to.
    pub column: Option<String>,
    /// The type of its values, where ranges are known.
    pub r#type: Option<&'static str>,
    /// Where the ranges come from, where they are known: kept or computed.
    pub ranges: Option<&'static str>,
    /// The workers by index.
    pub workers: Vec<PlannedWorker>,
}

/// The `StatefulSet` of an elastic table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PlannedSet {
    /// Its name.
    pub name: String,
    /// The least number of replicas.
    pub min: u32,
    /// The largest number of replicas.
    pub max: u32,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PlannedWorker {
    /// Its name.
    pub name: String,
    /// The smallest key that is its own; absent where there is no lower end, or no range is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The first key beyond; absent where there is no upper end, or no range is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Its keys in words, or none where they are not known.
    #[serde(skip)]
    pub keys: Option<String>,
}

impl Plan {
    /// The plan for these folders. `assigned` are the ranges of each table.
    pub fn new(config: &Config, kept: &Kept, assigned: &[Option<Assigned>]) -> Self {
        let mut notes: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
        if !config.has_templates {
            notes.push("there are no templates, as no image is known: nothing would be provisioned".to_owned());
        }
        let mut tables = Vec::new();
        for (table, ranges) in config.tables.iter().zip(assigned) {
            notes.extend(table.notes(ranges.as_ref()));
            tables.push(table.planned(ranges.as_ref()));
        }
        let is_gone = |target: &&str| config.tables.iter().all(|table| table.workers.target != *target);
        notes.extend(kept.targets().filter(is_gone).map(|target| {
            format!(
                "{}: no table has this target, and its key ranges stay kept for when one does; to be rid of them run: {}",
                shown(target),
                forget(target)
            )
        }));
        Self { pipeline: config.document.pipeline.clone(), tables, notes }
    }
}

impl ConfiguredTable {
    fn planned(&self, assigned: Option<&Assigned>) -> PlannedTable {
        let is_alone = self.workers.ranges() == 1;
        let workers = self.workers.names.iter().enumerate().map(|(index, name)| {
            let range = assigned.and_then(|assigned| Some((assigned, assigned.ranges.iter().nth(index)?)));
            let key = |end: fn(&KeyRange<'_>) -> Option<String>| range.as_ref().and_then(|(_, range)| end(range));
            let words = range.as_ref().map(|(assigned, range)| range.of_column(&assigned.column));
            PlannedWorker {
                name: name.clone(),
                from: key(|range| range.from.map(Key::text)),
                before: key(|range| range.before.map(Key::text)),
                keys: words.or_else(|| is_alone.then(|| "all".to_owned())),
            }
        });
        PlannedTable {
            source: self.table.source.clone(),
            target: self.workers.target.clone(),
            template: self.template.as_ref().map(|_| self.workers.template.clone()),
            elastic: match &self.workers.form {
                Form::Deployments => None,
                Form::StatefulSet(set) => Some(PlannedSet { name: set.name.clone(), min: set.min, max: set.max }),
            },
            column: self.column().map(str::to_owned),
            r#type: assigned.map(|assigned| assigned.ranges.key_type().name()),
            ranges: assigned.map(|assigned| match assigned.origin {
                Origin::Kept => "kept",
                Origin::Computed => "computed",
            }),
            workers: workers.collect(),
        }
    }

    fn notes(&self, assigned: Option<&Assigned>) -> Vec<String> {
        let (target, number) = (shown(&self.workers.target), self.workers.ranges());
        let mut notes = Vec::new();
        match (assigned, self.column()) {
            (Some(Assigned { origin: Origin::Computed, .. }), _) => {
                notes.push(format!("{target}: its key ranges are not kept yet"));
            }
            (None, None) if number > 1 => notes.push(format!(
                "{target}: has no primaryKey, by which its keys could be split among its {number} workers"
            )),
            (None, Some(column)) if number > 1 => notes.push(format!(
                "{target}: no key ranges are known for its {number} workers; say with --bounds what its smallest and its \
                 largest {} are",
                shown(column)
            )),
            _ => {}
        }
        if let Some(set) = self.workers.stateful_set() {
            notes.push(format!(
                "{target}: has {} to {} workers; replica r of R serves the ranges r*{number}/R up to (r+1)*{number}/R",
                set.min, set.max
            ));
        }
        notes
    }
}

/// A line for each worker, in columns.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![["TABLE", "WORKER", "RUNS IN", "TEMPLATE", "KEYS"].map(str::to_owned)];
        for table in &self.tables {
            let form = match &table.elastic {
                Some(set) => format!("StatefulSet {}", set.name),
                None => "Deployment".to_owned(),
            };
            let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            rows.extend(table.workers.iter().map(|worker| {
                let (target, name) = (table.target.clone(), worker.name.clone());
                [target, name, form.clone(), or_none(&table.template), or_none(&worker.keys)]
                    .map(|text| shown(&text).into())
            }));
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let widths = [0, 1, 2, 3].map(width);
        for [padded @ .., keys] in &rows {
            for (text, width) in padded.iter().zip(widths) {
                write!(f, "{text:<width$}  ")?;
            }
            writeln!(f, "{keys}")?;
        }
        Ok(())
    }
}
