//! The command line.

#[cfg(feature = "dev")]
mod dev;
mod documents;
mod failure;
mod logs;
mod manifests;
mod render;
mod run;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

pub use manifests::{cluster_role, crd, rbac};
pub use render::{Rendered, render};

/// Keeps the coordinators of `CDCPipeline`s running in a Kubernetes cluster.
#[derive(Debug, Parser)]
#[command(name = "urutau-operator", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the operator in a cluster.
    Run(run::Run),
    /// Print the objects of the `CDCPipeline`s of a file, without a cluster.
    ///
    /// Secrets of the file are used; those that it names and does not hold are taken to be there.
    Render(render::Render),
    /// Print what has to be installed in a cluster.
    Manifests(manifests::Manifests),
    /// Start a control plane on this machine, with the operator and an example running on it.
    #[cfg(feature = "dev")]
    Dev(dev::Dev),
}

/// What decides which objects a pipeline has.
#[derive(Clone, Debug, Args)]
struct SettingsArgs {
    /// The image of pipelines that name none
    #[arg(long, env = "URUTAU_COORDINATOR_IMAGE", value_name = "IMAGE")]
    coordinator_image: Option<String>,
}

impl SettingsArgs {
    fn settings(&self) -> crate::objects::Settings {
        crate::objects::Settings::new(self.coordinator_image.clone())
    }
}

/// A file of YAML documents.
#[derive(Clone, Debug, Args)]
struct FileArgs {
    /// A file of YAML documents; `-` is the standard input
    #[arg(short, long, value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command line of this process.
pub async fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(run) => run.run().await,
        Command::Render(render) => render.run(),
        Command::Manifests(manifests) => manifests.run(),
        #[cfg(feature = "dev")]
        Command::Dev(dev) => dev.run().await,
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            failure.report();
            ExitCode::FAILURE
        }
    }
}
