//! `forget`: takes the kept key ranges of a table away.

use super::folders::StateArgs;
use crate::console::logs::{self, LogFormat};
use crate::console::{Failure, output};
use crate::coordinator::Kept;
use crate::coordinator::words::shown;
use crate::shape::nearest;
use clap::Args;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(super) struct Forget {
    /// The table, as the document calls its target
    #[arg(value_name = "TARGET")]
    target: String,
    #[command(flatten)]
    state: StateArgs,
}

impl Forget {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let Self { target, state } = self;
        // It is told when somebody else is waited for.
        logs::start(LogFormat::default(), "info");
        let mut kept = state.read()?;
        if kept.get(&target).is_none() {
            return Err(missing(&kept, &target));
        }
        let mut change = kept.change().map_err(Failure::from_error)?;
        let Some(table) = change.forget(&target) else { return Err(missing(change.kept(), &target)) };
        change.write().map_err(Failure::from_error)?;
        let ranges = table.ranges.number();
        let (target, column) = (shown(&target), shown(&table.column));
        output::print(&format!("forgot the {ranges} key ranges of {target} by {column}\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn missing(kept: &Kept, target: &str) -> Failure {
    let fix = match nearest(target, kept.targets()) {
        Some(meant) => format!("did you mean {meant:?}?"),
        None if kept.targets().next().is_none() => "there are none at all".to_owned(),
        None => format!("there are some of {}", kept.targets().map(shown).collect::<Vec<_>>().join(", ")),
    };
    Failure::new(format!("{}: no key ranges of {} are kept; {fix}", kept.file().display(), shown(target)))
}
