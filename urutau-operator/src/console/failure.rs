//! Why a command could not do its work, in words for whoever typed it.

use super::output;
use std::error::Error;
use std::fmt;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), cause: None }
    }

    /// What could not be done, and why.
    pub(crate) fn because(what: impl Into<String>, cause: impl Error + Send + Sync + 'static) -> Self {
        Self { what: what.into(), cause: Some(Box::new(cause)) }
    }

    /// An error that says by itself what could not be done.
    pub(crate) fn from_error(error: impl Error + Send + Sync + 'static) -> Self {
        Self::because(error.to_string(), error)
    }

    /// Prints it with its causes.
    pub(crate) fn report(&self) {
        output::tell("error", self);
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let mut said = self.what.clone();
        let mut cause = self.cause.as_deref().map(|cause| cause as &dyn Error);
        while let Some(error) = cause {
            let text = error.to_string();
            // Some errors say what their cause is, and have it as their source too.
            if !said.contains(&text) {
                write!(f, ": {text}")?;
            }
            said = text;
            cause = error.source();
        }
        Ok(())
    }
}
