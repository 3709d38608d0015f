//! Permissions, with the API server as the judge.

mod aggregated;
mod bindings;
mod differential;
mod generate;
mod least;
mod oracle;
mod rights;
mod scenario;
