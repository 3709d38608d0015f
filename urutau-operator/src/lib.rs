//! The operator of Urutau: what a `CDCPipeline` is, what it may hold, and what is made of it.

pub mod api;
pub mod cli;
pub mod definition;
pub mod naming;
pub mod objects;
pub mod quantity;
pub mod resources;
pub mod shape;
pub mod text;
