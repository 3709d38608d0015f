//! What can go wrong, and what to do about it.

use std::path::PathBuf;

pub(crate) type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("can't {action} {}", path.display())]
    File { action: &'static str, path: PathBuf, source: std::io::Error },
    #[error("can't run `{command}`")]
    Run { command: String, source: std::io::Error },
    #[error("`{command}` failed:\n{stderr}")]
    Failed { command: String, stderr: String },
    #[error("can't read {what} as JSON")]
    Json { what: String, source: serde_json::Error },
    #[error("{what}: {todo}")]
    Unexpected { what: String, todo: String },
    #[error("{diff}\nwhat is committed differs from what is generated: run `cargo run -p xtask {command}` and commit")]
    Drift { diff: String, command: &'static str },
}

impl Error {
    pub(crate) fn unexpected(what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self::Unexpected { what: what.into(), todo: todo.into() }
    }
}

/// The message with its causes, one a line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str("\n  because: ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}
