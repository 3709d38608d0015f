//! Permissions, with the API server as the judge.

mod cluster_scoped;
mod differential;
mod events;
mod generate;
mod grants;
mod known;
mod least;
mod manifests;
mod oracle;
mod rights;
pub(crate) mod scenario;
mod scopes;
mod verbs;
