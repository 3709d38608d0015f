//! The columns of a table.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::Table;
use crate::shape::At;
use crate::text::Identifier;

/// A column of the target that tells about the change instead of holding it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Metadata {
    /// What it tells, such as op, commit_ts or position.
    pub from: String,
    /// The name of the column.
    pub r#as: Identifier,
}

impl Table {
    pub(super) fn check_columns(&self, at: &mut At<'_>) {
        self.check_key(at);
        self.check_metadata(at);
        self.check_column_filter(at);
        check_names(&self.cast, "cast", at);
        check_names(&self.columns, "columns", at);
        check_list(&self.identity, "identity", at);
    }

    fn check_key(&self, at: &mut At<'_>) {
        check_list(&self.primary_key, "primaryKey", at);
        for (index, column) in self.primary_key.iter().enumerate() {
            if column.contains('.') {
                at.refuse_entry(
                    "primaryKey",
                    index,
                    format!("{column:?} has a dot: a field within a column can't be part of the key"),
                    "name whole columns",
                );
            }
        }
        if let Some(column) = self.chunk_column.as_ref().filter(|column| !self.is_of_key(column))
            && at.are_sound(&["primaryKey", "chunkColumn"])
            && !self.primary_key.is_empty()
        {
            at.refuse(
                "chunkColumn",
                format!("{column:?} is not a column of the primary key"),
                format!("name one of {}", self.primary_key.join(", ")),
            );
        }
    }

    fn check_metadata(&self, at: &mut At<'_>) {
        let mut known = BTreeSet::new();
        for (index, column) in self.metadata.iter().enumerate() {
            if !at.is_sound(&format!("metadata[{index}].as")) {
                continue;
            }
            let name = column.r#as.as_str();
            let mut at = at.field("metadata");
            let mut at = at.entry(index);
            if self.is_of_key(name) {
                at.refuse("as", format!("{name:?} is a column of the primary key"), "give it another name");
            }
            if !known.insert(name) {
                at.refuse("as", format!("{name:?} is there twice"), "give it another name");
            }
        }
    }

    fn check_column_filter(&self, at: &mut At<'_>) {
        let Some(columns) = &self.column_filter else {
            return;
        };
        if columns.is_empty() {
            at.refuse("columnFilter", "is empty, so that nothing is left", "name columns, or remove it");
            return;
        }
        check_list(columns, "columnFilter", at);
        if !at.are_sound(&["columnFilter", "primaryKey"]) {
            return;
        }
        let missing: Vec<&str> =
            self.primary_key.iter().filter(|key| !columns.contains(key)).map(String::as_str).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            at.refuse("columnFilter", format!("does not cover the primary key: {missing} is missing"), "add it");
        }
    }

    fn is_of_key(&self, column: &str) -> bool {
        self.primary_key.iter().any(|key| key == column)
    }
}

/// No empty names, and none twice.
fn check_list(columns: &[String], field: &str, at: &mut At<'_>) {
    let mut known = BTreeSet::new();
    for (index, column) in columns.iter().enumerate() {
        if column.is_empty() {
            at.refuse_entry(field, index, "is empty", "name a column, or remove it");
        } else if !known.insert(column) {
            at.refuse_entry(field, index, format!("{column:?} is there twice"), "name each only once");
        }
    }
}

fn check_names(types: &BTreeMap<String, String>, field: &str, at: &mut At<'_>) {
    for (column, name) in types {
        let mut at = at.field(field);
        let mut at = at.key(column);
        if column.is_empty() {
            at.refuse_this("has no column name", "name the column");
        } else if name.is_empty() {
            at.refuse_this("has no type", "name a type, such as string");
        }
    }
}
