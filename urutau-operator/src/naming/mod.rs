//! What everything of a pipeline is called.
//!
//! Names are derived, never chosen, and each rule stands here once: the objects, the Role that pins them, admission,
//! and the coordinator that creates the workers all ask the same functions. A name depends on nothing but its
//! arguments, and must never change between versions: a new name is a new object, and the old one is left running.

mod meet;
#[cfg(test)]
mod tests;
mod valid;

pub use meet::Names;
pub(crate) use valid::is_label as is_dns_label;
use valid::{Alphabet, cut_to};

/// The longest DNS label.
pub(crate) const MOST_NAME: usize = 63;

/// The longest name of a worker group: the coordinator labels its Pods with it.
pub const LONGEST_GROUP: usize = 63;
/// The longest name of a `StatefulSet`: its Pods carry it, a dash and an eleven character hash in one label.
pub const LONGEST_STATEFUL_SET: usize = 52;
/// The most workers that one table may have. Each is a Deployment of its own, named by a Role.
pub const MOST_WORKERS: u32 = 1000;

/// What the index of a worker may add to its group's name: a dash and three digits.
const INDEX: usize = 4;
/// The longest key of a `ConfigMap`.
const LONGEST_KEY: usize = 253;
const TEMPLATE: (&str, &str) = ("worker-pod-template.", ".yaml");

/// The coordinator of a `CDCPipeline`, and everything that is named as it is.
pub fn coordinator(owner: &str) -> String {
    format!("{owner}-coordinator")
}

/// The Pod of the coordinator.
pub fn coordinator_pod(owner: &str) -> String {
    format!("{}-0", coordinator(owner))
}

/// The `CDCPipeline` whose coordinator's Pod is called so, if it is one.
pub fn owner_of_coordinator_pod(pod: &str) -> Option<&str> {
    pod.strip_suffix("-coordinator-0").filter(|owner| !owner.is_empty())
}

/// The `ServiceAccount` of the workers of a `CDCPipeline`.
pub fn worker_account(owner: &str) -> String {
    format!("{owner}-worker")
}

/// The name of one worker of a table: `<pipeline>-<target>-<index>`, at most 63 characters and valid for a Deployment.
///
/// `pipeline` is the name that the pipeline document gives itself. This is the only function that makes such a name.
pub fn worker_group(pipeline: &str, target: &str, index: u32) -> String {
    format!("{}-{index}", group_stem(pipeline, target, index))
}

/// The name of each worker of a table, for so many workers.
pub fn worker_groups(pipeline: &str, target: &str, number: u32) -> impl Iterator<Item = String> {
    (0..number).map(move |index| worker_group(pipeline, target, index))
}

/// The name of a worker up to its index: what the Pods of an elastic table are given before `-$(POD_INDEX)`.
pub fn worker_stem(pipeline: &str, target: &str) -> String {
    group_stem(pipeline, target, 0)
}

/// The name of the `StatefulSet` of an elastic table: `<pipeline>-<target>` with dots as dashes, at most 52 characters.
pub fn elastic_set(pipeline: &str, target: &str) -> String {
    let natural = format!("{pipeline}-{target}");
    let dashed = natural.replace('.', "-");
    if dashed.len() <= LONGEST_STATEFUL_SET && valid::is_label(&dashed) {
        return dashed;
    }
    cut_to(LONGEST_STATEFUL_SET, &dashed, &natural, Alphabet::Label)
}

/// The key in the coordinator's `ConfigMap` that holds the Pod template of a table's workers.
pub fn template_key(target: &str) -> String {
    let (before, after) = TEMPLATE;
    let room = LONGEST_KEY - before.len() - after.len();
    let target = if !target.is_empty() && target.len() <= room && target.bytes().all(valid::is_of_key) {
        target.to_owned()
    } else {
        cut_to(room, target, target, Alphabet::Key)
    };
    format!("{before}{target}{after}")
}

/// Whether a key of the coordinator's `ConfigMap` is one that [`template_key`] made.
pub fn is_template_key(key: &str) -> bool {
    let (before, after) = TEMPLATE;
    key.strip_prefix(before).and_then(|key| key.strip_suffix(after)).is_some_and(|target| !target.is_empty())
}

/// All indices up to [`MOST_WORKERS`] share one stem. Beyond them a name is still made, and still valid.
fn group_stem(pipeline: &str, target: &str, index: u32) -> String {
    let natural = format!("{pipeline}-{target}");
    let room = LONGEST_GROUP - INDEX.max(1 + index.to_string().len());
    if natural.len() <= room && valid::is_subdomain(&format!("{natural}-0")) {
        return natural;
    }
    cut_to(room, &natural, &natural, Alphabet::Subdomain)
}
