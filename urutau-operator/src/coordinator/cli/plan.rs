//! `plan`: the workers of a pipeline, without a cluster.

use super::folders::PipelineArgs;
use crate::console::{Failure, output};
use crate::coordinator::{self, Assigned, Kept, KeptTable, Origin};
use clap::{Args, ValueEnum};
use std::fmt::Write as _;
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
        let Some((config, mut kept, bounds)) = self.pipeline.read()? else { return Ok(ExitCode::FAILURE) };
        let mut assigned = match coordinator::assign(&config, &kept, &bounds) {
            Ok(assigned) => assigned,
            Err(problems) => {
                let file = self.pipeline.config_dir.join("pipeline.yaml");
                for problem in problems {
                    output::tell("error", format_args!("{}: {problem}", file.display()));
                }
                return Ok(ExitCode::FAILURE);
            }
        };
        if self.keep {
            let targets = config.tables.iter().map(|table| table.workers.target.as_str());
            keep(&mut kept, targets.zip(&mut assigned))?;
        }
        let plan = coordinator::Plan::new(&config, &kept, &assigned);
        for note in &plan.notes {
            output::tell("note", note);
        }
        output::print(&match self.output {
            Format::Table => table(&plan),
            Format::Json => json(&plan)?,
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Keeps what was computed.
fn keep<'a>(kept: &mut Kept, tables: impl Iterator<Item = (&'a str, &'a mut Option<Assigned>)>) -> Result<(), Failure> {
    let mut changed = false;
    for (target, assigned) in tables.filter_map(|(target, assigned)| Some((target, assigned.as_mut()?))) {
        if assigned.origin == Origin::Computed {
            let table = KeptTable { column: assigned.column.clone(), ranges: assigned.ranges.clone() };
            kept.keep(target, table);
            assigned.origin = Origin::Kept;
            changed = true;
        }
    }
    if changed { kept.write().map_err(Failure::from_error) } else { Ok(()) }
}

fn json(plan: &coordinator::Plan) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(plan).map_err(|error| Failure::because("can't write JSON", error))?;
    Ok(text + "\n")
}

/// A line for each worker, in columns.
fn table(plan: &coordinator::Plan) -> String {
    let mut rows = vec![["TABLE", "WORKER", "RUNS IN", "TEMPLATE", "KEYS"].map(str::to_owned)];
    for table in &plan.tables {
        for worker in &table.workers {
            let form = match &table.elastic {
                Some(set) => format!("StatefulSet {}", set.name),
                None => "Deployment".to_owned(),
            };
            let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
            rows.push([
                table.target.clone(),
                worker.name.clone(),
                form,
                or_none(&table.template),
                or_none(&worker.keys),
            ]);
        }
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..4).map(width).collect();
    let mut text = String::new();
    for [target, worker, form, template, keys] in &rows {
        let [a, b, c, d] = [0, 1, 2, 3].map(|column| widths[column]);
        // Writing to a String can't fail.
        let _ = writeln!(text, "{target:<a$}  {worker:<b$}  {form:<c$}  {template:<d$}  {keys}");
    }
    text
}
