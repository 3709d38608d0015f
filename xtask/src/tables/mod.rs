//! The tables that the crates are built with.

mod json_names;

use crate::error::Result;
use crate::workspace::Workspace;
use crate::{files, k8s_openapi};

/// Write the tables that are made from k8s-openapi and the API server's schema.
#[derive(clap::Args)]
pub(crate) struct Tables {
    /// Write nothing; fail and show the difference where a committed table is not what would be written.
    #[arg(long)]
    check: bool,
}

impl Tables {
    pub(crate) fn run(&self) -> Result<()> {
        let workspace = Workspace::load()?;
        let versions = k8s_openapi::versions(&workspace.package("k8s-openapi")?)?;
        let generated = [json_names::generate(&versions)?];
        if self.check {
            files::check(&workspace.root, &generated, "tables")
        } else {
            files::write(&workspace.root, &generated)
        }
    }
}
