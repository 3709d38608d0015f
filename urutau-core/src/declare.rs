//! What an author writes beside the structs: one plain function from an owner to its objects.

use crate::engine::Report;
use crate::inputs::Inputs;
use crate::member::OwnedSet;
use crate::problem::Invalid;
use serde::Serialize;

/// Says what an owner owns, in plain functions that a test can call with no cluster.
///
/// ```ignore
/// impl Declare for Objects {
///     type Settings = ();
///     fn declare(owner: &Greeter, _: &Inputs<Self>) -> Result<Self, Invalid> {
///         Ok(Self { config: Config { greeting: owner.spec.greeting.clone() }, server: Server })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare what an owner owns",
    label = "no set that declares",
    note = "implement `Declare` for the set; what its `declare` is given is `&Inputs<Self>`"
)]
pub trait Declare: OwnedSet + Sized + Send + Sync + 'static {
    /// What the process was started with, shared by all owners; `()` if there is nothing.
    type Settings: Send + Sync + 'static;

    /// The objects of `owner`.
    ///
    /// It has to be a function of its arguments alone: it is called whenever the owner, an object that it asked
    /// for, or an owned object changes, may be called twice in a row, and what it gives is what is to be there.
    ///
    /// # Errors
    /// Everything that is wrong with the owner. What runs already is left alone, and a condition says what to mend.
    fn declare(owner: &Self::Owner, inputs: &Inputs<Self>) -> Result<Self, Invalid>;

    /// Why nothing is to be done for now. While it says so, nothing owned is written or removed.
    fn hold(owner: &Self::Owner, settings: &Self::Settings) -> Option<Hold> {
        let _ = (owner, settings);
        None
    }

    /// Further fields of the owner's status, as a struct or map that serialises to an object.
    ///
    /// They stand beside `conditions`, `observedGeneration` and `owned`. A list `conditions` of
    /// [`Condition`](crate::Condition)s adds to those of the engine; the times and generations of conditions are
    /// filled in. A status is written when it differs, so nothing in it may be the time or a counter of passes.
    fn status(owner: &Self::Owner, report: &Report) -> impl Serialize {
        let _ = (owner, report);
    }
}

/// Why nothing is done for an owner: it is suspended, or has come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// A reason in upper camel case, as conditions have it: `Suspended`.
    pub reason: String,
    /// The same in words.
    pub message: String,
}

impl Hold {
    /// Holds for `reason`.
    pub fn new(reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason: reason.into(), message: message.into() }
    }
}
