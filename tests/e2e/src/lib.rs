//! What end-to-end tests have in common: a namespace of their own, an operator in it that runs as its own account
//! under the rules that its declaration generates, and ways to wait and to count.
#![allow(clippy::missing_panics_doc, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod arena;
mod dice;
mod wait;

pub use arena::{Arena, MANAGER, Operator, condition_of};
pub use dice::{Dice, cases};
pub use wait::{eventually, quiet};
