//! What the command lines of this crate have in common: how files are read, and how results and failures are told.

pub(crate) mod documents;
mod failure;
pub(crate) mod logs;
pub(crate) mod output;
pub(crate) mod yaml;

pub(crate) use failure::Failure;
use std::process::ExitCode;

/// What a process ends with, after the failure was told if there is one.
pub(crate) fn ended(done: Result<ExitCode, Failure>) -> ExitCode {
    done.unwrap_or_else(|failure| {
        failure.report();
        ExitCode::FAILURE
    })
}
