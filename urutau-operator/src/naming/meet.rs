//! Names that two things would share.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{coordinator, coordinator_pod};
use crate::definition::Document;
use crate::shape::Problem;
use crate::workers::{self, TableWorkers};

/// Every name that a pipeline takes in its namespace, and what for.
#[derive(Clone, Debug)]
pub struct Names {
    owner: String,
    taken: BTreeMap<String, Use>,
}

/// What a name is taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Use {
    /// The table, or none for the coordinator.
    table: Option<usize>,
    what: &'static str,
}

const FIX: &str = "change the target of a table, or the pipeline name that the document gives itself";

impl Names {
    /// The names of the pipeline that the `CDCPipeline` called `owner` describes, and those that meet in it.
    ///
    /// `elastic` says whether tables that may grow get a `StatefulSet`, which is so with KEDA.
    pub fn of(owner: &str, document: &Document, elastic: bool) -> (Self, Vec<Problem>) {
        let mut names = Self { owner: owner.to_owned(), taken: BTreeMap::new() };
        names.taken.insert(coordinator(owner), Use { table: None, what: "the coordinator" });
        names.taken.insert(coordinator_pod(owner), Use { table: None, what: "the coordinator's Pod" });
        let mut problems = Vec::new();
        for (index, table) in workers::of(document, elastic).iter().enumerate() {
            for (name, what) in names_of(table) {
                match names.taken.entry(name) {
                    Entry::Vacant(free) => _ = free.insert(Use { table: Some(index), what }),
                    Entry::Occupied(taken) if taken.get().table != Some(index) => {
                        problems.push(taken.get().met_by(index, taken.key(), what, None));
                        // One of a table's names is enough: the others meet for the same reason.
                        break;
                    }
                    Entry::Occupied(_) => {}
                }
            }
        }
        (names, problems)
    }

    /// The names of this pipeline that another of the same namespace takes as well.
    pub fn meet(&self, other: &Self) -> Vec<Problem> {
        if self.owner == other.owner {
            return Vec::new();
        }
        let mut problems: BTreeMap<Option<usize>, Problem> = BTreeMap::new();
        for (name, ours) in &self.taken {
            if let Some(theirs) = other.taken.get(name) {
                problems.entry(ours.table).or_insert_with(|| match ours.table {
                    Some(index) => theirs.met_by(index, name, ours.what, Some(&other.owner)),
                    None => Problem::new(
                        "pipeline",
                        format!("{} would be called {name}, as {} of {} is", ours.what, theirs.what, other.owner),
                        "give the CDCPipeline another name",
                    ),
                });
            }
        }
        problems.into_values().collect()
    }
}

impl Use {
    fn met_by(&self, index: usize, name: &str, what: &str, owner: Option<&str>) -> Problem {
        let theirs = match self.table {
            Some(table) => format!("{} of tables[{table}]", self.what),
            None => self.what.to_owned(),
        };
        let of = owner.map(|owner| format!(" of CDCPipeline {owner}")).unwrap_or_default();
        Problem::new(
            format!("tables[{index}].target"),
            format!("{what} would be called {name}, as {theirs}{of} is"),
            FIX,
        )
    }
}

fn names_of(table: &TableWorkers) -> Vec<(String, &'static str)> {
    let set = table.stateful_set().map(|set| (set.name.clone(), "the StatefulSet"));
    let groups = table.names.iter().map(|name| (name.clone(), "a worker"));
    set.into_iter().chain(groups).collect()
}
