//! The folders, and what follows from them.
#![allow(clippy::needless_pass_by_value, reason = "documents are written where they are used")]

mod assign;
mod config;
mod kept;
mod plan;

use super::*;
use crate::key_ranges::{Key, KeyRanges, KeyType, SampledKeys};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A folder of the test's own, gone with it.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A document with these tables.
fn document(tables: Value) -> Value {
    json!({
        "pipeline": "shop",
        "source": { "kind": "mysql", "serverId": "1" },
        "sink": { "namespace": "raw" },
        "tables": tables,
    })
}

/// One table, by its workers.
fn orders(workers: Value) -> Value {
    json!({ "source": "shop.orders", "target": "raw.orders", "primaryKey": ["id", "line"], "workers": workers })
}

fn template(annotations: Value) -> Value {
    json!({
        "metadata": { "annotations": annotations },
        "spec": { "containers": [{ "name": "worker", "args": ["run"] }] },
    })
}

fn elastic() -> Value {
    template(json!({ crate::workers::ELASTIC: "true" }))
}

/// Writes a folder as the operator does; JSON is YAML.
fn write(folder: &Path, document: &Value, templates: &[(&str, Value)]) {
    std::fs::write(folder.join("pipeline.yaml"), document.to_string()).unwrap();
    for (target, template) in templates {
        std::fs::write(folder.join(crate::naming::template_key(target)), template.to_string()).unwrap();
    }
}

/// The configuration with one table.
fn config_of(table: Value, templates: &[(&str, Value)]) -> Config {
    let folder = folder();
    write(folder.path(), &document(json!([table])), templates);
    Config::read(folder.path()).unwrap()
}

/// The problems of a folder, without its path.
fn problems(folder: &Path) -> Vec<String> {
    let place = format!("{}/", folder.display());
    let problems = Config::read(folder).err().unwrap_or_default();
    problems.iter().map(|problem| problem.replace(&place, "")).collect()
}

fn integers(min: i128, max: i128) -> SampledKeys {
    SampledKeys::new(Key::Integer(min), Key::Integer(max), vec![], None).unwrap()
}

fn bounds(sampled: SampledKeys) -> Bounds {
    Bounds([("raw.orders".to_owned(), sampled)].into())
}

/// The ranges of integers from 1 to 900, by a column.
fn kept_table(column: &str, number: u32) -> KeptTable {
    KeptTable { column: column.to_owned(), ranges: KeyRanges::compute(&integers(1, 900), number).unwrap() }
}
