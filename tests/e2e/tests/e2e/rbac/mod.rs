//! Permissions, with the API server as the judge.

mod aggregated;
mod bindings;
mod calls;
mod differential;
mod generate;
mod least;
mod optional;
mod oracle;
mod rights;
mod scenario;
