//! Measures an operator on this framework against a peer and against the limit, on a control plane of its own.
// Doc comments of options are their help texts, which are read without Markdown.
#![allow(clippy::doc_markdown)]

mod arena;
mod bare;
mod drift;
mod feed;
mod marks;
mod measure;
mod operator;
mod peer;
mod process;
mod subject;
mod table;
mod tally;

use clap::{Parser, Subcommand};
use measure::{Measured, Plan};
use operator::Operator;
use std::collections::BTreeSet;
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;
use subject::{Launcher, Subject};

type Failure = Box<dyn std::error::Error + Send + Sync>;
type Result<T> = std::result::Result<T, Failure>;

/// Measures an operator on this framework against a peer on controller-runtime and against a bare client
///
/// Each is given a control plane of its own, one after the other. Tables go to standard output, progress to standard
/// error. Nothing is left behind but the programs that were built, in the user's cache.
#[derive(Debug, Parser)]
#[command(name = "bench", args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// With how many owners, with commas between the numbers
    #[arg(long, value_delimiter = ',', default_value = "200,1000", value_name = "NUMBERS",
          value_parser = clap::value_parser!(u32).range(1..))]
    owners: Vec<u32>,
    /// Who is measured, with commas between them; all where none is given
    #[arg(long, value_delimiter = ',', value_enum)]
    only: Vec<Subject>,
    /// How many owners the operator works on at the same time
    #[arg(long, default_value_t = 64, value_name = "NUMBER")]
    concurrency: usize,
    /// The same of the peer, which does no better with more
    #[arg(long, default_value_t = 16, value_name = "NUMBER")]
    peer_concurrency: usize,
    /// How many objects somebody else changes
    #[arg(long, default_value_t = 100, value_name = "NUMBER")]
    drifts: usize,
    /// How long nothing happens, with a look at everything every 10 seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    idle: u64,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the operator that is measured; the benchmark starts it by itself
    #[command(hide = true)]
    Operator(Operator),
}

/// Tells on standard error what is going on.
fn say(what: fmt::Arguments<'_>) {
    eprintln!("bench: {what}");
}

// One thread, as the shipped operator: for the operator that is measured, and for the bare client.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut cli = Cli::parse();
    let done = match cli.command.take() {
        Some(Command::Operator(operator)) => operator.run().await,
        None => {
            let mut all = Vec::new();
            let done = tokio::select! {
                done = cli.compare(&mut all) => done,
                () = urutau_core::stopped() => Err("stopped".into()),
            };
            // What was measured before something went wrong was measured.
            println!("{}", cli.tables(&all));
            done
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Cli {
    fn sizes(&self) -> Vec<usize> {
        let sizes: BTreeSet<usize> = self.owners.iter().filter_map(|&owners| usize::try_from(owners).ok()).collect();
        sizes.into_iter().collect()
    }

    async fn compare(&self, all: &mut Vec<Measured>) -> Result<()> {
        let is_wanted = |one: &Subject| self.only.is_empty() || self.only.contains(one);
        let subjects: Vec<_> = Subject::ALL.into_iter().filter(is_wanted).collect();
        let with_peer = subjects.iter().any(|one| matches!(one, Subject::PeerApply | Subject::PeerUpdate));
        let peer = if with_peer { Some(tokio::task::spawn_blocking(peer::provide).await??) } else { None };
        let bare = if subjects.contains(&Subject::Bare) {
            say(format_args!("looking for the best concurrency of the bare client"));
            let best = bare::best_concurrency().await?;
            say(format_args!("the bare client works on {best} owners at the same time"));
            best
        } else {
            1
        };
        let launcher = Launcher {
            own: std::env::current_exe()?,
            peer,
            concurrency: self.concurrency,
            peer_concurrency: self.peer_concurrency,
        };
        let plan = Plan { launcher, drifts: self.drifts, idle: Duration::from_secs(self.idle), bare };
        for owners in self.sizes() {
            for &subject in &subjects {
                let measured = plan.measure(subject, owners).await?;
                for refused in measured.first.tally.refused.iter().take(3) {
                    say(format_args!("{}: an answer that is none: {refused}", subject.title()));
                }
                if let Some(first) = all.first() {
                    check_same(first, &measured)?;
                }
                all.push(measured);
            }
        }
        Ok(())
    }

    fn tables(&self, all: &[Measured]) -> String {
        let sizes = self.sizes();
        let measured = sizes.iter().filter(|&&owners| all.iter().any(|one| one.owners == owners));
        let tables: Vec<_> = measured.map(|&owners| table::of(owners, all)).collect();
        format!("{}\n{}", tables.join("\n"), marks::table(&sizes, all))
    }
}

/// Fails unless both made the same of their owners.
fn check_same(first: &Measured, other: &Measured) -> Result<()> {
    for (one, another) in first.sample.iter().zip(&other.sample) {
        if one != another {
            let (first, other) = (first.subject.title(), other.subject.title());
            return Err(format!("{first} and {other} don't make the same:\n{one}\n{another}").into());
        }
    }
    Ok(())
}
