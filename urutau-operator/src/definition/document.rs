//! The document as a whole, and the rules that span its parts.

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Format, Sink, Source, SourceKind, Table, WriteMode};
use crate::naming::{MOST_NAME, is_dns_label};
use crate::shape::{At, Problem, Problems, Reader};
use crate::text::ServerId;

static READER: LazyLock<Reader<Document>> = LazyLock::new(Reader::new);

/// A pipeline: one source, one sink, and the tables that go from one to the other.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Document {
    /// The name of the pipeline, which its workers' names begin with. A DNS label.
    pub pipeline: String,
    /// Where the changes come from.
    pub source: Source,
    /// Where the changes go to.
    pub sink: Sink,
    /// The tables to replicate. At least one, unless source.postgres.discover finds them.
    #[serde(default)]
    pub tables: Vec<Table>,
}

/// A document that can be used, and what its author might want to know all the same.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parsed {
    /// The document.
    pub document: Document,
    /// What was accepted and looks like a mistake.
    pub warnings: Vec<Problem>,
}

impl Document {
    /// Reads and checks a document.
    ///
    /// # Errors
    /// Everything that is wrong with it, each by its path from the top of the document, in the document's order.
    pub fn parse(value: &Value) -> Result<Parsed, Vec<Problem>> {
        let mut problems = Problems::default();
        match Self::read(value, "", &mut problems) {
            Some(document) if problems.is_empty() => {
                let warnings = document.warnings();
                Ok(Parsed { document, warnings })
            }
            _ => Err(problems.into_sorted()),
        }
    }

    /// Reads and checks a document that stands at a path. What could not be read is replaced by something that says
    /// nothing, so the document is of use only when there are no problems.
    pub(crate) fn read(value: &Value, path: &str, problems: &mut Problems) -> Option<Self> {
        let document = READER.read(value, path, problems)?;
        document.check(&mut At::new(path, problems));
        Some(document)
    }

    /// The MySQL `server_id` that the pipeline reads under. Two pipelines of one server must not share it.
    pub fn server_id(&self) -> Option<ServerId> {
        self.source.server_id.filter(|_| self.source.kind == SourceKind::Mysql)
    }

    /// How a table is written: as it says, else as the sink says, else by upsert.
    pub fn write_mode(&self, table: &Table) -> WriteMode {
        table.write_mode.or(self.sink.defaults.write_mode).unwrap_or_default()
    }

    /// Whether the tables are found in the source instead of being listed.
    pub fn discovers_tables(&self) -> bool {
        self.source.postgres.as_ref().is_some_and(|postgres| postgres.discover)
    }

    fn check(&self, at: &mut At<'_>) {
        if at.is_sound("pipeline") && !is_dns_label(&self.pipeline) {
            at.refuse(
                "pipeline",
                format!("{:?} is not a DNS label", self.pipeline),
                format!(
                    "use at most {MOST_NAME} lower case letters, digits and dashes, a letter or digit at both ends"
                ),
            );
        }
        self.source.check(&mut at.field("source"));
        self.sink.check(&mut at.field("sink"));
        self.check_number_of_tables(at);
        self.check_kafka_upserts(at);
        for (index, table) in self.tables.iter().enumerate() {
            let around = self.around(at);
            table.check(&around, &mut at.field("tables").entry(index));
        }
        self.check_unique(at, "source", |table| &table.source);
        self.check_unique(at, "target", |table| &table.target);
    }

    /// What the rules of a table need to know about the rest of the document, as far as it can be relied on.
    fn around(&self, at: &At<'_>) -> Around<'_> {
        let sink = at.are_sound(&["sink.type", "sink.commitMode"]).then_some(&self.sink);
        let default_mode = at.sound("sink.defaults.writeMode", self.sink.defaults.write_mode.unwrap_or_default());
        Around {
            kind: at.sound("source.kind", self.source.kind),
            format: at.sound("source.format", self.source.format),
            default_mode,
            sink,
        }
    }

    fn check_number_of_tables(&self, at: &mut At<'_>) {
        if at.is_lost("tables") || at.is_lost("source.postgres") || !at.is_sound("source.postgres.discover") {
            return;
        }
        match (self.tables.is_empty(), self.discovers_tables()) {
            (true, false) => at.refuse("tables", "at least one is required", "list a table with its source and target"),
            (false, true) => at.refuse(
                "tables",
                "not together with source.postgres.discover, which finds the tables by itself",
                "remove the list, or turn discover off",
            ),
            _ => {}
        }
    }

    /// Kafka keeps order only within a partition, so that a key must never be found in two of them.
    fn check_kafka_upserts(&self, at: &mut At<'_>) {
        let around = self.around(at);
        if around.kind != Some(SourceKind::Kafka)
            || self.source.partitioned_by_primary_key
            || !at.is_sound("source.partitionedByPrimaryKey")
        {
            return;
        }
        let upserted = self.tables.iter().enumerate().find(|(index, table)| {
            at.is_sound(&format!("tables[{index}].writeMode")) && around.mode(table) == Some(WriteMode::Upsert)
        });
        if let Some((index, _)) = upserted {
            at.refuse(
                "source.partitionedByPrimaryKey",
                format!("required, since tables[{index}] is written by upsert and Kafka keeps order only within a partition"),
                "set it to true if the topics are partitioned by the primary key, else write the tables with writeMode: append",
            );
        }
    }

    fn check_unique(&self, at: &mut At<'_>, field: &str, name: impl Fn(&Table) -> &String) {
        let mut first: HashMap<&String, usize> = HashMap::new();
        for (index, table) in self.tables.iter().enumerate() {
            let path = format!("tables[{index}].{field}");
            if !at.is_sound(&path) {
                continue;
            }
            let name = name(table);
            match first.get(name) {
                Some(earlier) => at.refuse(
                    &path,
                    format!("{name:?} is the {field} of tables[{earlier}] already"),
                    "name each only once",
                ),
                None => _ = first.insert(name, index),
            }
        }
    }

    pub(crate) fn warnings(&self) -> Vec<Problem> {
        let mut warnings = self.source.warnings();
        warnings.extend(self.sink.warnings());
        warnings
    }
}

/// What surrounds a table. What the user has to correct first is `None`.
pub(super) struct Around<'a> {
    pub(super) kind: Option<SourceKind>,
    pub(super) format: Option<Format>,
    pub(super) default_mode: Option<WriteMode>,
    pub(super) sink: Option<&'a Sink>,
}

impl Around<'_> {
    /// How a table is written.
    pub(super) fn mode(&self, table: &Table) -> Option<WriteMode> {
        table.write_mode.or(self.default_mode)
    }
}
