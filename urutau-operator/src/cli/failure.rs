//! Why a command could not do its work, in words for whoever typed it.

use std::error::Error;
use std::fmt;
use std::path::Path;

/// Why a command could not do its work.
#[derive(Debug)]
pub(super) struct Failure {
    what: String,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Failure {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), cause: None }
    }

    /// What could not be done, and why.
    pub(super) fn because(what: impl Into<String>, cause: impl Error + Send + Sync + 'static) -> Self {
        Self { what: what.into(), cause: Some(Box::new(cause)) }
    }

    /// A file that can't be read.
    pub(super) fn reading(file: &Path, cause: std::io::Error) -> Self {
        Self::because(format!("can't read `{}`", file.display()), cause)
    }

    /// Prints it with its causes.
    pub(super) fn report(&self) {
        eprintln!("error: {self}");
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let mut cause = self.cause.as_deref().map(|cause| cause as &dyn Error);
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}
