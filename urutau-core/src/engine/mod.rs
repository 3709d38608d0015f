//! The engine: keeps what owners declare and what the cluster has the same.
//!
//! Watches reduce what they see to small records ([`table`]) and say who has to be looked at; a [`gate`] decides who is
//! next; a [`pass`] compares what an owner declares with the records, and writes only what differs.

mod backoff;
mod cause;
mod client;
mod cluster;
mod controller;
mod core;
mod driver;
mod error;
mod fault;
mod gate;
mod handover;
mod hash;
#[cfg(feature = "hot-paths")]
pub mod hot_paths;
mod in_yaml;
mod key;
mod managed;
mod mend;
mod owner;
mod owners;
mod pass;
mod reads;
mod repairs;
mod report;
mod rights;
mod seen;
mod shared;
mod sync;
mod table;
mod takeover;
mod watch;

pub use client::{client, client_for};
pub(crate) use cluster::send;
pub use controller::{Controller, run};
pub use error::Error;
#[cfg(feature = "control-plane")]
pub(crate) use in_yaml::in_yaml;
pub use report::{MemberReport, MemberState, Outcome, Report, Why};
pub use rights::Health;
pub use shared::Watches;
