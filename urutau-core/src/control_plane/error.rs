//! What can go wrong, and what to do about it.

use std::{fmt, io, path::PathBuf, sync::Arc, time::Duration};

use super::binaries::{Component, names};

/// Why a control plane could not be had, or did not answer.
///
/// Its `Debug` is written for the output of a failed test: the message, then one line for each cause.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `$KUBEBUILDER_ASSETS` names something that is not a folder.
    #[error(
        "KUBEBUILDER_ASSETS is {}, which is not a folder: \
         point it at a folder with etcd and kube-apiserver in it, or unset it to have them built",
        path.display()
    )]
    Assets {
        /// The value of the variable.
        path: PathBuf,
    },
    /// There is no folder to keep the built binaries in.
    #[error("no cache folder for the control plane's binaries: set HOME or XDG_CACHE_HOME")]
    NoCache,
    /// A file or folder could not be used.
    #[error("could not {action} {}", path.display())]
    File {
        /// What was to be done, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Go is not installed, and binaries have to be built.
    #[error(
        "the control plane ({}) has to be built once, and `go` is not on the PATH: \
         install Go {needed} or newer (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder that has these binaries",
        names(missing)
    )]
    GoMissing {
        /// What has to be built.
        missing: Vec<Component>,
        /// The oldest version that will do.
        needed: &'static str,
    },
    /// The installed Go cannot build the binaries, nor fetch a toolchain that can.
    #[error(
        "the control plane has to be built with Go {needed} or newer, found: {found}. \
         Install a newer Go (https://go.dev/dl), or allow it to fetch one with GOTOOLCHAIN=auto"
    )]
    GoTooOld {
        /// The version, or what Go said instead of one.
        found: String,
        /// The oldest version that will do.
        needed: &'static str,
    },
    /// A binary does not build.
    #[error(
        "could not build {component} (once per machine, needs the Go module proxy and about 3 GB of disk). Go said:\n{output}"
    )]
    Build {
        /// The binary.
        component: Component,
        /// The last lines of Go's output.
        output: String,
    },
    /// A process could not be started at all.
    #[error("could not start {name}")]
    Spawn {
        /// The program.
        name: &'static str,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A component ended by itself.
    #[error("{name} ended by itself ({status}). The end of its log:\n{log}")]
    Ended {
        /// The component.
        name: &'static str,
        /// Its exit status.
        status: String,
        /// The last lines that it wrote.
        log: String,
    },
    /// Something did not come about in time.
    #[error("{what} did not come about within {} s{}", limit.as_secs(), ending(log))]
    Timeout {
        /// What was waited for.
        what: String,
        /// How long.
        limit: Duration,
        /// The last lines of the component that should have done it; may be empty.
        log: String,
    },
    /// The API server refused a request of the harness, or could not be reached.
    #[error("could not {action}")]
    Request {
        /// What was to be done, as a verb with its object.
        action: String,
        /// Why not.
        #[source]
        source: Box<kube::Error>,
    },
    /// The API server's answer lacks what was asked for.
    #[error("the API server answered without {0}")]
    Incomplete(&'static str),
    /// The API server does not take a custom resource definition.
    #[error("the API server refuses the CustomResourceDefinition {name}: {message}")]
    Crd {
        /// The definition.
        name: String,
        /// What the API server said.
        message: String,
    },
    /// The access data of a client does not hold together.
    #[error("could not make a client configuration for {url}")]
    ClientConfig {
        /// The API server.
        url: String,
        /// Why not.
        #[source]
        source: Box<kube::config::KubeconfigError>,
    },
    /// A document could not be read or written as JSON.
    #[error("could not read or write {what} as JSON")]
    Json {
        /// The document.
        what: String,
        /// Why not.
        #[source]
        source: serde_json::Error,
    },
    /// The operating system gave no random key.
    #[error("the operating system gave no random bytes for the signing key")]
    Random,
    /// A background task of the harness was cut off, which happens while a runtime shuts down.
    #[error("the runtime shut down while the control plane was being {0}")]
    CutOff(&'static str),
    /// The shared control plane of this process did not start; every caller gets this one reason.
    #[error(transparent)]
    Shared(Arc<Error>),
}

impl Error {
    pub(super) fn file(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }

    pub(super) fn request(action: impl Into<String>) -> impl FnOnce(kube::Error) -> Self {
        let action = action.into();
        move |source| Self::Request { action, source: Box::new(source) }
    }

    /// A port that was free a moment ago is taken: another attempt gets other ports.
    pub(super) fn is_port_taken(&self) -> bool {
        matches!(self, Self::Ended { log, .. } if log.contains("address already in use"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            write!(f, "\n  caused by: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

fn ending(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!(". The end of the log:\n{log}") }
}
