//! What API servers say about their lists of objects: the extract of their schema that is committed.

use crate::error::{Error, Result};
use crate::files::Generated;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where the extract is, from the root of the workspace.
const PATH: &str = "xtask/data/lists.json";

/// The lists of objects in the schemas of several versions of Kubernetes.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lists {
    /// The minor versions that were read, each with the version of the server.
    pub(crate) servers: BTreeMap<u32, String>,
    pub(crate) lists: Vec<List>,
}

/// A list of objects, as some versions have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct List {
    /// The schema of the object that has the list: `io.k8s.api.core.v1.PodSpec`.
    pub(crate) owner: String,
    /// Its JSON name.
    pub(crate) field: String,
    /// The schema of an entry.
    pub(crate) entry: String,
    #[serde(flatten)]
    pub(crate) merge: Merge,
    /// The minor versions whose server has the list just so.
    pub(crate) minors: BTreeSet<u32>,
}

/// How a list is merged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "type")]
pub(crate) enum Merge {
    /// By the key that these fields make.
    Map { keys: Vec<Key> },
    /// As a whole. `fields` are those of an entry that could be a key.
    Atomic { fields: Vec<String> },
}

/// A field of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: KeyType,
    /// What the server takes where it is absent; not there for the empty text and for zero, which mean the same as
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<String>,
}

/// What a key field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum KeyType {
    String,
    Integer,
}

impl Lists {
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let path = root.join(PATH);
        let text = fs::read(&path).map_err(|source| Error::File { action: "read", path, source })?;
        serde_json::from_slice(&text).map_err(|source| Error::Json { what: PATH.into(), source })
    }

    /// Replaces what is known of the version that `lists` were read from.
    pub(crate) fn replace(&mut self, minor: u32, server: String, lists: BTreeSet<List>) {
        self.servers.insert(minor, server);
        let mut merged: BTreeMap<List, BTreeSet<u32>> = BTreeMap::new();
        let known = self.lists.drain(..).map(|mut list| {
            let mut minors = std::mem::take(&mut list.minors);
            minors.remove(&minor);
            (list, minors)
        });
        for (list, minors) in known.chain(lists.into_iter().map(|list| (list, BTreeSet::from([minor])))) {
            merged.entry(list).or_default().extend(minors);
        }
        let lists = merged.into_iter().filter(|(_, minors)| !minors.is_empty());
        self.lists = lists.map(|(list, minors)| List { minors, ..list }).collect();
    }

    /// The file, with a line for each list.
    pub(crate) fn file(&self) -> Result<Generated> {
        let json = |source| Error::Json { what: PATH.into(), source };
        let servers = serde_json::to_string(&self.servers).map_err(json)?;
        let lists = self.lists.iter().map(serde_json::to_string);
        let lists = lists.collect::<std::result::Result<Vec<_>, _>>().map_err(json)?.join(",\n");
        Ok(Generated { path: PATH.into(), text: format!("{{\"servers\":{servers},\"lists\":[\n{lists}\n]}}\n") })
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, KeyType, List, Lists, Merge};
    use std::collections::BTreeSet;

    fn list(field: &str, key: &str) -> List {
        let keys = vec![Key { name: key.into(), ty: KeyType::String, default: None }];
        List {
            owner: "a.Owner".into(),
            field: field.into(),
            entry: "a.Entry".into(),
            merge: Merge::Map { keys },
            minors: BTreeSet::new(),
        }
    }

    fn minors(lists: &Lists) -> Vec<(&str, Vec<u32>)> {
        lists.lists.iter().map(|list| (list.field.as_str(), list.minors.iter().copied().collect())).collect()
    }

    #[test]
    fn what_is_equal_in_two_versions_is_there_once() {
        let mut lists = Lists::default();
        lists.replace(33, "v1.33.0".into(), [list("a", "name")].into());
        lists.replace(34, "v1.34.0".into(), [list("a", "name"), list("b", "name")].into());
        assert_eq!(minors(&lists), [("a", vec![33, 34]), ("b", vec![34])]);
    }

    #[test]
    fn reading_a_version_again_forgets_what_it_had() {
        let mut lists = Lists::default();
        lists.replace(33, "v1.33.0".into(), [list("a", "name"), list("b", "name")].into());
        lists.replace(33, "v1.33.1".into(), [list("a", "uid")].into());
        assert_eq!(minors(&lists), [("a", vec![33])]);
        assert_eq!(lists.servers[&33], "v1.33.1");
    }

    #[test]
    fn the_file_reads_as_what_was_written() {
        let mut lists = Lists::default();
        let atomic = List { merge: Merge::Atomic { fields: vec!["name".into()] }, ..list("b", "") };
        lists.replace(33, "v1.33.0".into(), [list("a", "name"), atomic].into());
        let read: Lists = serde_json::from_str(&lists.file().unwrap().text).unwrap();
        assert_eq!(read, lists);
    }
}
