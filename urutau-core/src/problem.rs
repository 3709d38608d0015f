//! What is wrong with a declaration, all of it at once.

use std::fmt;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where: a path into the owner's spec or the member that has it; empty for the whole.
    pub path: String,
    /// What is wrong and how to mend it.
    pub message: String,
}

impl Problem {
    /// A problem at `path`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.path, self.message) }
    }
}

/// Every problem of an owner that can't be declared. What already runs is left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invalid {
    /// The problems, in the order they were found.
    pub problems: Vec<Problem>,
}

impl Invalid {
    /// One problem.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { problems: vec![Problem::new(path, message)] }
    }

    /// `Ok` when nothing was found.
    ///
    /// # Errors
    /// Itself, when there is at least one problem.
    pub fn unless_empty(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }
}

impl From<Vec<Problem>> for Invalid {
    fn from(problems: Vec<Problem>) -> Self {
        Self { problems }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
