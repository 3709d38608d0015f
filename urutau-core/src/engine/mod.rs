//! The engine: keeps what owners declare and what the cluster has the same.

mod controller;
mod error;
mod report;

pub use controller::{Controller, run};
pub use error::Error;
pub use report::{MemberReport, MemberState, Outcome, Report, Why};
