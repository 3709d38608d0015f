//! Permissions, with the API server as the judge.

mod calls;
mod differential;
mod generate;
mod least;
mod optional;
mod oracle;
mod rights;
mod scenario;
