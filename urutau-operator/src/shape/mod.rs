//! Reads a typed value out of JSON and reports everything that does not fit, all at once and each by its path.
//!
//! Serde stops at the first mistake and knows no paths. Here the schema that schemars derives from a type, the one that
//! the CRD is made of too, is laid over the value first. What does not fit is reported and replaced by something that
//! does, so that serde then reads the rest and the rules that follow can report their own problems. A rule keeps silent
//! where it would only repeat, in other words, what was reported already.

mod at;
mod crd;
mod nearest;
mod problem;
mod schema;
#[cfg(test)]
mod tests;
mod value;
mod walk;

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use at::At;
pub(crate) use crd::{input, output};
pub(crate) use nearest::nearest;
pub use problem::Problem;
pub(crate) use problem::{Problems, join};
pub(crate) use schema::{OPAQUE, Schemas, Shape};

/// Reads values of a type. Made once for each, as its schema is.
pub(crate) struct Reader<T> {
    schemas: Schemas,
    reads: PhantomData<fn() -> T>,
}

impl<T: JsonSchema + DeserializeOwned> Reader<T> {
    pub(crate) fn new() -> Self {
        Self { schemas: Schemas::of::<T>(), reads: PhantomData }
    }

    /// Reads a value that stands at a path. Each problem goes to `problems`, and the value holds stand-ins where there
    /// was one.
    ///
    /// `None` is returned only when not even that could be read, which is then a problem as well.
    pub(crate) fn read(&self, value: &Value, path: &str, problems: &mut Problems) -> Option<T> {
        let fitted = walk::fit(&self.schemas, value, path, problems);
        match serde_json::from_value(fitted) {
            Ok(read) => Some(read),
            Err(error) => {
                problems.add(Problem::new(path, error.to_string(), "correct this value"));
                None
            }
        }
    }
}
