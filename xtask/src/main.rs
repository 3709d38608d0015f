//! Writes what is generated and committed, and checks that it is up to date.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod diff;
mod error;
mod files;
mod k8s_types;
mod lists;
mod manifests;
mod openapi;
mod tables;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What is generated in this repository is committed; these commands write it and check it.
#[derive(Parser)]
#[command(name = "cargo run -p xtask --")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Manifests(manifests::Manifests),
    Openapi(openapi::Openapi),
    Tables(tables::Tables),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Manifests(manifests) => manifests.run(),
        Command::Openapi(openapi) => openapi.run(),
        Command::Tables(tables) => tables.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}", error::chain(&error));
            ExitCode::FAILURE
        }
    }
}
