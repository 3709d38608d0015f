//! The listings of the book. Each stands between `ANCHOR` comments, is compiled with the workspace, and is tested for
//! what the book says of it.
// Two rules with the same verbs look like one attribute twice to clippy.
#![allow(clippy::duplicated_attributes)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod calls;
pub mod declare;
pub mod objects;
pub mod policies;
pub mod rules;
pub mod set;
pub mod site;
