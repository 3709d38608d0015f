//! Why the engine stops.

/// Why the engine stops. What goes wrong with single owners never stops it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No client could be made from the environment.
    #[error("make a client from KUBECONFIG or the Pod's service account")]
    Client(#[source] Box<kube::Error>),
    /// The kind's constants and kube's idea of it differ.
    #[error(
        "`{kind}` is called `{plural}` in the constants of its `Kind`, and `{kube}` by kube; say `plural` in `#[kube(...)]`"
    )]
    Plural {
        /// The kind.
        kind: &'static str,
        /// What the constants say.
        plural: &'static str,
        /// What kube says.
        kube: String,
    },
    /// A part of the engine came to its end, which it must not.
    #[error("{part} ended unexpectedly")]
    Ended {
        /// What it was.
        part: String,
        /// How, if it is known.
        #[source]
        source: Option<tokio::task::JoinError>,
    },
}
