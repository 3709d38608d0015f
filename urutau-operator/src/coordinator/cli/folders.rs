//! The folders that commands work with.

use crate::console::Failure;
use crate::console::output;
use crate::coordinator::config::one;
use crate::coordinator::{self, Assigned, Bounds, Config, KeepError, Kept};
use clap::Args;
use std::path::PathBuf;

/// The folder in which key ranges are kept.
#[derive(Clone, Debug, Args)]
pub(super) struct StateArgs {
    /// The folder in which key ranges are kept
    #[arg(long, value_name = "FOLDER", default_value = "/var/lib/urutau")]
    pub(super) state_dir: PathBuf,
}

impl StateArgs {
    pub(super) fn read(&self) -> Result<Kept, Failure> {
        Kept::read(&self.state_dir).map_err(Failure::from_error)
    }
}

/// What the workers of a pipeline and their keys follow from.
#[derive(Clone, Debug, Args)]
pub(super) struct PipelineArgs {
    /// The folder of pipeline.yaml and of the templates of the workers' Pods
    #[arg(long, value_name = "FOLDER", default_value = "/etc/urutau")]
    pub(super) config_dir: PathBuf,
    #[command(flatten)]
    pub(super) state: StateArgs,
    /// A YAML file of what was sampled of the tables' keys: for each target type, min and max, and if known samples and
    /// scale; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) bounds: Option<PathBuf>,
}

impl PipelineArgs {
    /// Reads the folders. What is wrong was told where it gives none.
    pub(super) fn read(&self) -> Result<Option<(Config, Kept, Bounds)>, Failure> {
        let config = Config::read(&self.config_dir);
        let bounds = match (&self.bounds, &config) {
            (Some(file), Ok(config)) => one(file).map_err(|wrong| vec![wrong]).and_then(|(place, value)| {
                let told = |problems: Vec<crate::shape::Problem>| {
                    problems.iter().map(|problem| format!("{place}: {problem}")).collect()
                };
                Bounds::parse(&value, config).map_err(told)
            }),
            _ => Ok(Bounds::default()),
        };
        let kept = self.state.read();
        let problems = [config.as_ref().err(), bounds.as_ref().err()];
        problems.into_iter().flatten().flatten().for_each(|problem| output::tell("error", problem));
        let (Ok(config), Ok(bounds)) = (config, bounds) else {
            if let Err(failure) = kept {
                failure.report();
            }
            return Ok(None);
        };
        Ok(Some((config, kept?, bounds)))
    }

    /// The key ranges of each table, kept if that is asked for. What is wrong was told where it gives none.
    pub(super) fn assign(
        &self,
        config: &Config,
        kept: &mut Kept,
        bounds: &Bounds,
        is_to_keep: bool,
    ) -> Result<Option<Vec<Option<Assigned>>>, Failure> {
        let assigned = if is_to_keep {
            coordinator::keep(kept, config, bounds)
        } else {
            coordinator::assign(config, kept, bounds).map_err(KeepError::Assign)
        };
        match assigned {
            Ok(assigned) => Ok(Some(assigned)),
            Err(KeepError::Assign(problems)) => {
                let file = self.config_dir.join("pipeline.yaml");
                let told = problems.iter().map(|problem| format!("{}: {problem}", file.display()));
                told.for_each(|problem| output::tell("error", problem));
                Ok(None)
            }
            Err(KeepError::Kept(error)) => Err(Failure::from_error(error)),
        }
    }
}
