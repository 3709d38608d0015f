//! Why workers could not be made.

use crate::coordinator::words::shown;
use std::fmt;
use urutau_core::CallError;

/// Why the workers of a pipeline could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProvisionError {
    /// The Pod is not called as a coordinator's is.
    NotACoordinator {
        /// What it is called.
        pod: String,
    },
    /// The coordinator's Pod is not there, or is about to go.
    PodIsGone {
        /// Its namespace.
        namespace: String,
        /// Its name.
        pod: String,
    },
    /// The coordinator's Pod could not be read.
    Pod(Why),
    /// The pipeline could not be read.
    Pipeline(Why),
    /// Some of them could not be made.
    Groups(Vec<GroupError>),
}

/// A workload that could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub struct GroupError {
    /// The table, as the document calls its target.
    pub table: String,
    /// Deployment or `StatefulSet`.
    pub kind: &'static str,
    /// The worker group, or the `StatefulSet` of an elastic table.
    pub name: String,
    /// Why.
    pub why: Why,
}

/// Why a workload could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Why {
    /// There is one of this name that this coordinator did not make.
    Foreign {
        /// Whose it is, in words; nobody's if there are none.
        owners: Vec<String>,
    },
    /// There is one of an earlier Pod, and garbage collection did not take it in time.
    Remains,
    /// Somebody else was faster, each time that it was tried.
    Raced(CallError),
    /// The API server refused, or was not reached in time.
    Call(CallError),
    /// The API server did not answer.
    NoAnswer,
    /// There was no time to try it.
    TooLate,
}

/// How long something may be in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passes {
    /// As long as there is time.
    InTime,
    /// A few moments.
    Soon,
}

impl Passes {
    /// How long a call may fail so.
    pub(super) fn of(error: &CallError) -> Option<Self> {
        // The Role and its binding were written just before the Pod.
        let soon = || error.is_forbidden().then_some(Self::Soon);
        error.is_transient().then_some(Self::InTime).or_else(soon)
    }
}

impl Why {
    /// How long it may be so until it is otherwise: nothing, if that is not to be expected.
    pub(super) fn passes(&self) -> Option<Passes> {
        match self {
            Self::Foreign { .. } | Self::NoAnswer | Self::TooLate => None,
            Self::Remains | Self::Raced(_) => Some(Passes::InTime),
            Self::Call(error) => Passes::of(error),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { owners } => {
                let whose = match owners.as_slice() {
                    [] => "no coordinator's Pod".to_owned(),
                    owners => owners.join(", "),
                };
                write!(
                    f,
                    "there is one of this name that belongs to {whose}, and it is left as it is; remove it, or rename \
                     the pipeline or the target"
                )
            }
            Self::Remains => f.write_str("the one of an earlier Pod of the coordinator is not gone yet"),
            Self::Raced(error) | Self::Call(error) => f.write_str(&error.told()),
            Self::NoAnswer => f.write_str("the API server did not answer in the time that was left"),
            Self::TooLate => f.write_str("no time was left to try"),
        }
    }
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}: {} {}: {}", shown(&self.table), self.kind, self.name, self.why)
    }
}

impl fmt::Display for ProvisionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACoordinator { pod } => write!(
                f,
                "{pod} is not the Pod of a coordinator, which is called <pipeline>-coordinator-0; name it with --pod-name"
            ),
            Self::PodIsGone { namespace, pod } => write!(
                f,
                "Pod {pod} is not in the namespace {namespace}, or is being deleted: workers would belong to nothing"
            ),
            Self::Pod(why) => write!(f, "can't read the coordinator's Pod: {why}"),
            Self::Pipeline(why) => write!(f, "can't read the pipeline: {why}"),
            Self::Groups(groups) => {
                write!(f, "{} of the workers could not be made", groups.len())?;
                groups.iter().try_for_each(|group| write!(f, "\n  {group}"))
            }
        }
    }
}

impl std::error::Error for ProvisionError {}
