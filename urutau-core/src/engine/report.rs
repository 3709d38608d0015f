//! What a pass found, for the author's part of the status.

use crate::declare::Hold;
use crate::kind::KindId;
use crate::problem::Invalid;
use crate::status::Condition;

/// What a pass found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// How it stands with the whole.
    pub outcome: Outcome,
    /// How it stands with each object and each member that waits, in the order of the structs.
    pub members: Vec<MemberReport>,
    /// The conditions that will be written.
    pub conditions: Vec<Condition>,
    /// The generation of the owner that this is about.
    pub generation: Option<i64>,
}

/// How it stands with the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Everything is there and ready.
    Ready,
    /// Everything that can be is there; something is not ready yet.
    Progressing(Why),
    /// A member waits for something outside.
    Waiting(Why),
    /// Something went wrong; it is tried again.
    Failed(Why),
    /// The owner can't be declared.
    Invalid(Invalid),
    /// Nothing is done for now.
    Held(Hold),
}

/// Why, as conditions say it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Why {
    /// In upper camel case.
    pub reason: String,
    /// In words.
    pub message: String,
}

/// How it stands with one member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemberReport {
    /// The fields that lead to it: `identity.role`, `scalers[2]`.
    pub member: String,
    /// The kind and name of the object, unless it waits to be declared.
    pub object: Option<(KindId, String)>,
    /// How it stands.
    pub state: MemberState,
}

/// How it stands with one member.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemberState {
    /// As declared, and ready.
    Ready,
    /// As declared; what is missing until it is ready.
    NotReady(String),
    /// As declared; why it will not become ready without a change.
    Broken(String),
    /// Not written yet.
    Waiting(Why),
    /// Could not be written.
    Failed(Why),
    /// The set goes on without it: the API server does not serve its kind, or the operator has no right to it.
    Off(Why),
}

impl Why {
    /// Both.
    pub fn new(reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason: reason.into(), message: message.into() }
    }
}

impl Report {
    /// A report with nothing but an outcome, for tests of [`Declare::status`](crate::Declare::status).
    pub fn of(outcome: Outcome) -> Self {
        Self { outcome, members: Vec::new(), conditions: Vec::new(), generation: None }
    }

    /// Whether everything is there and ready.
    pub fn is_ready(&self) -> bool {
        matches!(self.outcome, Outcome::Ready)
    }

    /// The members that a field of the set stands for: itself, or what is in it.
    pub fn member<'a>(&'a self, field: &'a str) -> impl Iterator<Item = &'a MemberReport> + 'a {
        self.members.iter().filter(move |report| {
            report.member.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }
}
