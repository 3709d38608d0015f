//! How a table is read and written, and what each way asks for.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Table;
use crate::definition::document::Around;
use crate::definition::{Format, SourceKind};
use crate::shape::At;

/// How a target is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WriteMode {
    /// The target holds what the source holds.
    #[default]
    Upsert,
    /// Every change is a new row.
    Append,
    /// Every change is a new row, once, however often it is read.
    AppendIdempotent,
}

/// What to do with a deleted row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnDelete {
    /// Append what it was.
    Record,
    /// Nothing.
    Skip,
}

/// How changes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Mode {
    /// In the source's log.
    #[default]
    Cdc,
    /// By a column that grows.
    Incremental,
}

impl Table {
    pub(super) fn check_modes(&self, around: &Around<'_>, at: &mut At<'_>) {
        match (self.mode, &self.cursor) {
            (Mode::Incremental, None) => {
                at.refuse("cursor", "required for mode incremental", "name a column that grows with every change");
            }
            (Mode::Cdc, Some(_)) if at.is_sound("mode") => {
                at.refuse("cursor", "only for mode incremental", "remove it, or write mode: incremental");
            }
            _ => {}
        }
        let Some(mode) = at.is_sound("writeMode").then(|| around.mode(self)).flatten() else {
            return;
        };
        match mode {
            WriteMode::Upsert => self.check_upsert(around, at),
            WriteMode::Append => self.check_append(around, at),
            WriteMode::AppendIdempotent => {}
        }
        if mode != WriteMode::Append && self.on_delete.is_some() {
            at.refuse("onDelete", "only for writeMode append", "remove it");
        }
        self.check_identity(mode, around, at);
    }

    fn check_upsert(&self, around: &Around<'_>, at: &mut At<'_>) {
        if self.primary_key.is_empty() && at.is_sound("primaryKey") {
            at.refuse(
                "primaryKey",
                "required for writeMode upsert",
                "name the columns that tell rows apart, or write writeMode: append",
            );
        }
        if around.format == Some(Format::Raw) {
            at.refuse(
                "writeMode",
                "messages of source.format raw are not rows, and can't be upserted",
                "write writeMode: append",
            );
        }
    }

    fn check_append(&self, around: &Around<'_>, at: &mut At<'_>) {
        if self.filter.is_some() && !self.filter_immutable && at.is_sound("filterImmutable") {
            at.refuse(
                "filterImmutable",
                "required to append with a filter: a row that begins or ceases to match can't be told",
                "set it to true if the columns of the filter never change, else write writeMode: upsert",
            );
        }
        let skips = self.on_delete == Some(OnDelete::Skip);
        if around.kind == Some(SourceKind::Kafka) && !skips && at.is_sound("onDelete") {
            at.refuse("onDelete", "kafka does not tell what a deleted row was", "write onDelete: skip");
        }
    }

    fn check_identity(&self, mode: WriteMode, around: &Around<'_>, at: &mut At<'_>) {
        if self.identity.is_empty() {
            return;
        }
        if mode != WriteMode::AppendIdempotent {
            at.refuse("identity", "only for writeMode append-idempotent", "remove it");
        } else if around.kind.is_some_and(|kind| kind != SourceKind::Kafka) {
            at.refuse("identity", "only for source.kind kafka", "remove it");
        }
    }
}
