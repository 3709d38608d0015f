//! Why a member can't be declared yet.

use std::fmt;

/// Why a member has to wait. While it does it is neither written nor removed, its dependents wait too,
/// and a condition of the owner says why.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Waiting {
    /// A reason in upper camel case, as conditions have it: `SecretMissing`.
    pub reason: String,
    /// What is waited for, naming the object and, where there is one, the fix.
    pub message: String,
}

impl Waiting {
    /// Waits for what `message` names.
    pub fn new(reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason: reason.into(), message: message.into() }
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Waiting {}
