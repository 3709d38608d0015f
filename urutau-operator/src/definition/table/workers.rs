//! How many workers write a table, and what each gets.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::definition::document::Around;
use crate::definition::{Sink, SinkKind};
use crate::naming::MOST_WORKERS;
use crate::quantity::Quantity;
use crate::shape::At;
use crate::text::{KEYWORD, Text};

/// How many workers write a table, and what each gets.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Workers {
    /// How many. 0 or absent: one.
    pub number: Option<u32>,
    /// How many there may be when there is much to do. At least number.
    pub max: Option<u32>,
    /// The cpu of each, instead of worker.cpu.
    #[serde(default)]
    #[schemars(schema_with = "quantity_text")]
    pub cpu: Option<Quantity>,
    /// The memory of each, instead of worker.memory.
    #[serde(default)]
    #[schemars(schema_with = "quantity_text")]
    pub memory: Option<Quantity>,
}

/// The coordinator reads quantities as text only.
fn quantity_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", (KEYWORD): Quantity::KIND })
}

impl Workers {
    /// How many there are: at least one.
    pub fn count(&self) -> u32 {
        self.number.unwrap_or_default().max(1)
    }

    /// `target` is the table, where it has a name.
    pub(super) fn check(&self, target: Option<&str>, around: &Around<'_>, at: &mut At<'_>) {
        if let Some(max) = self.max.filter(|max| *max < self.count())
            && at.are_sound(&["number", "max"])
        {
            at.refuse(
                "max",
                format!("{max} is less than number, which is {}", self.count()),
                "raise it to number or more, or remove it",
            );
        }
        for (field, number) in [("number", self.number), ("max", self.max)] {
            let number = number.unwrap_or_default();
            if number > MOST_WORKERS {
                at.refuse(field, format!("{number} is too many"), format!("write {MOST_WORKERS} or less"));
            }
            match around.sink {
                Some(sink) if number > 1 && !sink.supports_concurrent_writers() => {
                    at.refuse(field, one_writer(target, sink, number), fix_writers(sink, field));
                }
                _ => {}
            }
        }
    }
}

fn one_writer(target: Option<&str>, sink: &Sink, number: u32) -> String {
    let table = target.map(|target| format!("{target}: ")).unwrap_or_default();
    format!("{table}{number} workers, but a {} sink takes only one writer of a table", sink.type_name())
}

fn fix_writers(sink: &Sink, field: &str) -> String {
    let fewer = if field == "number" { "write number: 1" } else { "remove max" };
    match sink.kind() {
        SinkKind::Couchbase => format!("{fewer}, or set sink.commitMode: atomic"),
        _ => fewer.to_owned(),
    }
}
