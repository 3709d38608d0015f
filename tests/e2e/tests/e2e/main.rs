//! End-to-end tests on one real control plane.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod hello;
mod pipeline;
mod rbac;
