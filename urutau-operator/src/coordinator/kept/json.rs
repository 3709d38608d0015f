//! How kept ranges are written. Keys are texts, so that no reader of JSON takes digits from them.

use super::{KeptError, KeptTable};
use crate::coordinator::words::shown;
use crate::key_ranges::{Key, KeyRanges, KeyType};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// What this program reads and writes.
pub(super) const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    #[serde(deserialize_with = "each_once")]
    tables: BTreeMap<String, Table>,
}

/// An unknown field is not left out in silence: it would be lost with the next write.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    column: String,
    r#type: KeyType,
    /// How many ranges there are, by which a file that lacks a split point is noticed.
    ranges: u32,
    splits: Vec<String>,
}

pub(super) fn text(tables: &BTreeMap<String, KeptTable>) -> io::Result<String> {
    let table = |table: &KeptTable| Table {
        column: table.column.clone(),
        r#type: table.ranges.key_type(),
        ranges: table.ranges.number(),
        splits: table.ranges.splits().iter().map(Key::text).collect(),
    };
    let tables = tables.iter().map(|(target, kept)| (target.clone(), table(kept))).collect();
    Ok(serde_json::to_string_pretty(&File { version: VERSION, tables })? + "\n")
}

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<BTreeMap<String, KeptTable>, KeptError> {
    let damaged = |why: String| KeptError::Damaged(file.to_owned(), why);
    let value: Value = serde_json::from_slice(bytes).map_err(|error| damaged(format!("is not JSON: {error}")))?;
    // Of a newer version nothing more than that can be told.
    match value.get("version").map(Value::as_u64) {
        Some(Some(VERSION)) => {}
        Some(Some(version)) if version > VERSION => return Err(KeptError::Newer(file.to_owned(), version)),
        Some(_) => return Err(damaged("has a version that never was".to_owned())),
        None => return Err(damaged("does not say of which version it is".to_owned())),
    }
    // Not from the value, in which the last of two entries of one name has won already.
    let read: File = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    let table = |(target, table): (String, Table)| match table.read() {
        Ok(kept) => Ok((target, kept)),
        Err(why) => Err(damaged(format!("{}: {why}", shown(&target)))),
    };
    read.tables.into_iter().map(table).collect()
}

/// A map in which no key stands twice: which of the two entries is the one that was kept can't be told.
fn each_once<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Table>, D::Error> {
    struct EachOnce;

    impl<'de> Visitor<'de> for EachOnce {
        type Value = BTreeMap<String, Table>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with an entry for each table")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut tables = BTreeMap::new();
            while let Some((target, table)) = entries.next_entry::<String, Table>()? {
                if tables.contains_key(&target) {
                    return Err(A::Error::custom(format_args!("{target:?} stands in it twice")));
                }
                tables.insert(target, table);
            }
            Ok(tables)
        }
    }

    deserializer.deserialize_map(EachOnce)
}

impl Table {
    fn read(self) -> Result<KeptTable, String> {
        let splits = self.splits.iter().map(|text| self.r#type.parse(text).map_err(|error| error.message));
        let ranges = KeyRanges::from_splits(self.r#type, splits.collect::<Result<_, _>>()?)
            .ok_or("the split points do not increase")?;
        if ranges.number() != self.ranges {
            return Err(format!("{} ranges, but split points for {}", self.ranges, ranges.number()));
        }
        Ok(KeptTable { column: self.column, ranges })
    }
}
