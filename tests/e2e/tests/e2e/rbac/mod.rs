//! Permissions, with the API server as the judge.

mod aggregated;
mod bindings;
mod calls;
mod cluster_scoped;
mod differential;
mod events;
mod generate;
mod grants;
mod known;
mod least;
mod manifests;
mod optional;
mod oracle;
mod rights;
pub(crate) mod scenario;
mod scopes;
mod verbs;
