//! The command line.
// Doc comments of commands and options are their help texts, which are read without Markdown.
#![allow(clippy::doc_markdown)]

#[cfg(feature = "dev")]
mod dev;
mod manifests;
mod probes;
mod render;
mod run;

use crate::console;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

pub use manifests::{committed, crd, rbac};
pub use render::{Rendered, render};

/// The operator of CDCPipelines, which replicate the changes of a database or of Kafka topics into tables
#[derive(Debug, Parser)]
#[command(name = "urutau-operator", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the operator in a cluster
    ///
    /// In a Pod it finds the API server by itself; elsewhere it takes the one of KUBECONFIG. RUST_LOG says what is logged.
    Run(run::Run),
    /// Print the objects of the CDCPipelines of a file, without a cluster
    ///
    /// The Secrets of the file are used; those that a pipeline names and the file does not hold are taken to be there.
    /// Objects go to standard output, what is wrong to standard error; the exit code is 1 if anything is.
    Render(render::Render),
    /// Print what has to be installed in a cluster
    Manifests(manifests::Manifests),
    /// Start a control plane on this machine, with the operator and an example running on it
    ///
    /// It is a real one, of etcd, API server and controllers, except that no container runs. Nothing is left of it when
    /// the command ends. Its programs come from the folder KUBEBUILDER_ASSETS; without that they are built with Go,
    /// once.
    #[cfg(feature = "dev")]
    Dev(dev::Dev),
}

/// What decides which objects a pipeline has.
#[derive(Clone, Debug, Args)]
struct SettingsArgs {
    /// The image of pipelines that name none
    #[arg(long, env = "URUTAU_COORDINATOR_IMAGE", value_name = "IMAGE")]
    coordinator_image: Option<String>,
    /// The URL of the Prometheus server that KEDA asks how much is to do; without it no table is scaled
    #[arg(long, env = "URUTAU_KEDA_PROMETHEUS_ADDRESS", value_name = "URL", value_parser = prometheus)]
    keda_prometheus_address: Option<String>,
    /// How many batches of a table may wait for each of its workers before KEDA adds one
    #[arg(long, env = "URUTAU_KEDA_THRESHOLD", default_value = "30", value_name = "NUMBER", value_parser = threshold)]
    keda_threshold: String,
}

impl SettingsArgs {
    fn settings(&self) -> crate::objects::Settings {
        let settings = crate::objects::Settings::new(self.coordinator_image.clone());
        match &self.keda_prometheus_address {
            Some(address) if !address.is_empty() => settings.autoscaled(address, &self.keda_threshold),
            _ => settings,
        }
    }
}

/// A URL that KEDA can ask; empty, as a variable may be, for none.
fn prometheus(text: &str) -> Result<String, String> {
    let url = text.parse::<axum::http::Uri>().ok();
    let can_be_asked =
        |url: axum::http::Uri| url.authority().is_some() && matches!(url.scheme_str(), Some("http" | "https"));
    if text.is_empty() || url.is_some_and(can_be_asked) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is no address of a server: write it as http://prometheus.monitoring.svc:9090"))
}

/// A number above 0, as it was written.
fn threshold(text: &str) -> Result<String, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(text.to_owned()),
        _ => Err(format!("`{text}` is no number above 0")),
    }
}

/// A file of YAML documents.
#[derive(Clone, Debug, Args)]
struct FileArgs {
    /// A file of YAML documents; - is standard input
    #[arg(short, long, value_name = "FILE")]
    file: PathBuf,
}

/// A namespace that can be one.
fn namespace(text: &str) -> Result<String, String> {
    if crate::naming::is_dns_label(text) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "`{text}` can't be a namespace: at most 63 lower case letters, digits and dashes, no dash at either end"
    ))
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
    console::ended(done)
}
