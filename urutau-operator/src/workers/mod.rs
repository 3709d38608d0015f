//! Which workers follow from a pipeline document.
//!
//! The operator's objects and permissions, admission, and the coordinator that creates the workers ask here, so that
//! they can't disagree on which workers there are, what they are called and which template each is cloned from. The
//! names themselves are made by [`crate::naming`].
//!
//! A table is *elastic* when an autoscaler may change how many workers it has: autoscaling is on and `workers.max` is
//! more than `workers.number`. Whether autoscaling is on only the operator knows. It tells the coordinator by the mark
//! [`ELASTIC`] on the table's Pod template: the mark travels in the very file that is cloned, so a template and what is
//! known of it can't be of different minds, and a table that changes its form changes the file, by which the
//! coordinator's Pod is replaced.

mod block;
#[cfg(test)]
mod tests;

pub use block::block;

use crate::definition::{Document, Table};
use crate::naming;
use k8s_openapi::api::core::v1::PodTemplateSpec;

/// The annotation of a Pod template that says that its table is elastic.
pub const ELASTIC: &str = "urutau.io/elastic";
/// The value of [`ELASTIC`] where it is so. Where it is not, there is no such annotation.
pub const IS_ELASTIC: &str = "true";
/// The environment variable that tells a worker of an elastic table which Pod of its `StatefulSet` it is. The template
/// of an elastic table has it.
pub const POD_INDEX: &str = "POD_INDEX";

/// The workers of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableWorkers {
    /// The table, as the document calls its target.
    pub target: String,
    /// The names of its worker groups by index: as many as there are, or may be when the table is elastic. Key range
    /// `i` belongs to name `i`.
    pub names: Vec<String>,
    /// The file of the coordinator's folder that holds their Pod template.
    pub template: String,
    /// What runs them.
    pub form: Form,
}

/// What runs the workers of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// A Deployment with one Pod for each, called as the group is.
    Deployments,
    /// One `StatefulSet` for all, the number of whose replicas belongs to the autoscaler.
    StatefulSet(ElasticSet),
}

/// The `StatefulSet` of an elastic table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ElasticSet {
    /// Its name.
    pub name: String,
    /// What the names of its workers begin with, before a dash and the index of the Pod.
    pub stem: String,
    /// The least number of replicas, with which it begins.
    pub min: u32,
    /// The largest number of replicas, for which key ranges are computed.
    pub max: u32,
}

/// The workers of each table, in the order of the document. `autoscales` says whether tables that may grow are given an
/// autoscaler.
pub fn of(document: &Document, autoscales: bool) -> Vec<TableWorkers> {
    document.tables.iter().map(|table| TableWorkers::of(&document.pipeline, table, autoscales)).collect()
}

impl TableWorkers {
    /// The workers of one table of the pipeline whose document gives itself this name.
    pub fn of(pipeline: &str, table: &Table, autoscales: bool) -> Self {
        let target = &table.target;
        let max = table.elastic_max().filter(|_| autoscales);
        let form = max.map_or(Form::Deployments, |max| {
            Form::StatefulSet(ElasticSet {
                name: naming::elastic_set(pipeline, target),
                stem: naming::worker_stem(pipeline, target),
                min: table.worker_count(),
                max,
            })
        });
        Self {
            target: target.clone(),
            names: naming::worker_groups(pipeline, target, max.unwrap_or_else(|| table.worker_count())).collect(),
            template: naming::template_key(target),
            form,
        }
    }

    /// Into how many ranges the keys of the table are split: one for each name.
    pub fn ranges(&self) -> u32 {
        // Names are made by counting to a u32.
        u32::try_from(self.names.len()).unwrap_or(u32::MAX)
    }

    /// The names of its Deployments: all of its groups', or none when the table is elastic.
    pub fn deployments(&self) -> &[String] {
        match self.form {
            Form::Deployments => &self.names,
            Form::StatefulSet(_) => &[],
        }
    }

    /// Its `StatefulSet`, when the table is elastic.
    pub fn stateful_set(&self) -> Option<&ElasticSet> {
        match &self.form {
            Form::Deployments => None,
            Form::StatefulSet(set) => Some(set),
        }
    }
}

impl ElasticSet {
    /// The `--name` that its Pods are started with. The kubelet fills in the index, so that each has the name that a
    /// Deployment with this index would have.
    pub fn name_argument(&self) -> String {
        format!("{}-$({POD_INDEX})", self.stem)
    }
}

/// Whether this is the template of an elastic table.
pub fn is_elastic(template: &PodTemplateSpec) -> bool {
    let annotations = template.metadata.as_ref().and_then(|metadata| metadata.annotations.as_ref());
    annotations.is_some_and(|annotations| annotations.get(ELASTIC).is_some_and(|value| value == IS_ELASTIC))
}
