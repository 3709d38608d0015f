//! The coordinator's side: which workers it makes, from which templates, and which keys each of them gets.
//!
//! Everything here follows from two folders, the one that the operator writes ([`Config`]) and the one in which the
//! coordinator keeps its key ranges ([`Kept`]), and from what was sampled of the source.

mod assign;
pub mod cli;
mod config;
mod kept;
mod plan;
pub mod provision;
mod template;
#[cfg(test)]
mod tests;
pub(crate) mod words;

pub use assign::{Assigned, Bounds, KeepError, Origin, assign, keep};
pub use config::{Config, ConfiguredTable, has_templates};
pub use kept::{Change, Kept, KeptError, KeptTable};
pub use plan::{Plan, PlannedSet, PlannedTable, PlannedWorker};
