//! The command line of the coordinator's side.
// Doc comments of commands and options are their help texts, which are read without Markdown.
#![allow(clippy::doc_markdown)]

mod folders;
mod forget;
mod plan;
mod provision;

use crate::console;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The coordinator's side of a CDCPipeline: which workers there are, and which keys each of them gets
#[derive(Debug, Parser)]
#[command(name = "urutau-coordinator", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the workers of a pipeline with their names, templates and keys, without a cluster
    ///
    /// Key ranges that are kept in the state folder go before those that would follow from --bounds. The plan goes to
    /// standard output, what is wrong to standard error; the exit code is 1 if anything is.
    Plan(plan::Plan),
    /// Make the workers of a pipeline, as the coordinator does when it starts
    ///
    /// It runs in the coordinator's Pod, and takes what a Pod is told of its cluster. Without any template in the folder
    /// there is nothing to do, and nothing is asked of the cluster. RUST_LOG says what is logged.
    Provision(provision::Provision),
    /// Forget the key ranges that are kept for a table, before a new snapshot of it is taken
    ///
    /// Run it while no coordinator of the pipeline runs: one that does goes on with the ranges that it has.
    Forget(forget::Forget),
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    console::ended(match Cli::parse().command {
        Command::Plan(plan) => plan.run(),
        Command::Provision(provision) => provision.run(),
        Command::Forget(forget) => forget.run(),
    })
}
