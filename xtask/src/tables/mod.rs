//! The tables that the crates are built with.

mod gate;
mod json_names;
mod keys_by_field;
mod list_maps;

use crate::error::Result;
use crate::lists::Lists;
use crate::workspace::Workspace;
use crate::{files, k8s_types};

/// Write the tables that are made from k8s-openapi and the API servers' schemas.
#[derive(clap::Args)]
pub(crate) struct Tables {
    /// Write nothing; fail and show the difference where a committed table is not what would be written.
    #[arg(long)]
    check: bool,
}

impl Tables {
    pub(crate) fn run(&self) -> Result<()> {
        let workspace = Workspace::load()?;
        let versions = k8s_types::versions(&workspace.package("k8s-openapi")?)?;
        let lists = Lists::load(&workspace.root)?;
        let generated = [json_names::generate(&versions)?, list_maps::generate(&versions, &lists)?];
        if self.check {
            files::check(&workspace.root, &generated, "-- tables")
        } else {
            files::write(&workspace.root, &generated)
        }
    }
}
