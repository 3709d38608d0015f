//! `plan`: the workers of a pipeline, without a cluster.

use super::folders::PipelineArgs;
use crate::console::logs::{self, LogFormat};
use crate::console::{Failure, output};
use crate::coordinator;
use clap::{Args, ValueEnum};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(super) struct Plan {
    #[command(flatten)]
    pipeline: PipelineArgs,
    /// Keep the key ranges that follow from --bounds, before any coordinator runs
    #[arg(long, requires = "bounds")]
    keep: bool,
    /// How the plan is printed
    #[arg(short, long, value_enum, default_value_t, value_name = "FORMAT")]
    output: Format,
}

/// How the plan is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each worker.
    #[default]
    Table,
    /// One object.
    Json,
}

impl Plan {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        // It is told when somebody else is waited for.
        logs::start(LogFormat::default(), "info");
        let Some((config, mut kept, bounds)) = self.pipeline.read()? else { return Ok(ExitCode::FAILURE) };
        let assigned = self.pipeline.assign(&config, &mut kept, &bounds, self.keep)?;
        let Some(assigned) = assigned else { return Ok(ExitCode::FAILURE) };
        let plan = coordinator::Plan::new(&config, &kept, &assigned);
        for note in &plan.notes {
            output::tell("note", note);
        }
        output::print(&match self.output {
            Format::Table => plan.to_string(),
            Format::Json => json(&plan)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn json(plan: &coordinator::Plan) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(plan).map_err(|error| Failure::because("can't write JSON", error))?;
    // What JSON allows in a text, and a terminal obeys.
    let escaped = |letter: char| match letter {
        '\u{7f}'..='\u{9f}' => format!("\\u{:04x}", u32::from(letter)),
        letter => letter.to_string(),
    };
    Ok(text.chars().map(escaped).chain(["\n".to_owned()]).collect())
}
