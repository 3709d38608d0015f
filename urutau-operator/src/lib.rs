//! The operator of Urutau: what a `CDCPipeline` is, what it may hold, and what is made of it.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod api;
pub mod cli;
mod console;
pub mod coordinator;
pub mod definition;
pub mod key_ranges;
pub mod naming;
pub mod objects;
pub mod quantity;
pub mod resources;
pub mod shape;
pub mod text;
pub mod workers;
