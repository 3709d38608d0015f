//! End-to-end tests on one real control plane.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod apply;
mod crd;
mod hello;
mod interleavings;
mod ownership;
mod pipeline;
mod provision;
mod rbac;
mod replicas;
mod watches;
