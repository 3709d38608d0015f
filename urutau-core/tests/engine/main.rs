//! The engine on a real API server, as an account with the derived rules and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod arena;
mod client;
mod ownership;
mod policies;
mod reads;
mod repair;
mod retired;
mod steady;
mod widgets;
