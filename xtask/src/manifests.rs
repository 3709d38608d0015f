//! The manifests that the operator is installed with.

use crate::error::{Error, Result};
use crate::files::{self, Generated};
use crate::workspace::Workspace;

/// What makes xtask write them.
const COMMAND: &str = "--features manifests -- manifests";

/// Write the manifests that are made from the operator's types, by `cargo run -p xtask --features manifests`.
#[derive(clap::Args)]
pub(crate) struct Manifests {
    /// Write nothing; fail and show the difference where a committed manifest is not what would be written.
    #[arg(long)]
    check: bool,
}

impl Manifests {
    pub(crate) fn run(&self) -> Result<()> {
        let generated = generate()?;
        let root = Workspace::load()?.root;
        if self.check { files::check(&root, &generated, COMMAND) } else { files::write(&root, &generated) }
    }
}

#[cfg(feature = "manifests")]
fn generate() -> Result<Vec<Generated>> {
    let committed = urutau_operator::cli::committed()
        .map_err(|error| Error::unexpected("can't write the manifests", error.to_string()))?;
    Ok(committed.into_iter().map(|(path, text)| Generated { path: path.into(), text }).collect())
}

#[cfg(not(feature = "manifests"))]
fn generate() -> Result<Vec<Generated>> {
    let todo = format!("run `cargo run -p xtask {COMMAND}`");
    Err(Error::unexpected("this xtask was built without the operator's types", todo))
}
