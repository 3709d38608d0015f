//! `forget`: takes the kept key ranges of a table away.

use super::folders::StateArgs;
use crate::console::{Failure, output};
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
        let mut kept = state.read()?;
        let Some(table) = kept.forget(&target) else {
            let fix = match nearest(&target, kept.targets()) {
                Some(meant) => format!("did you mean {meant:?}?"),
                None if kept.targets().next().is_none() => "there are none at all".to_owned(),
                None => format!("there are some of {}", kept.targets().collect::<Vec<_>>().join(", ")),
            };
            let file = kept.file().display();
            return Err(Failure::new(format!("{file}: no key ranges of {target} are kept; {fix}")));
        };
        kept.write().map_err(Failure::from_error)?;
        let ranges = table.ranges.number();
        output::print(&format!("forgot the {ranges} key ranges of {target} by {}\n", table.column))?;
        Ok(ExitCode::SUCCESS)
    }
}
