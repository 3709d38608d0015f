//! What cargo knows about this workspace.

use crate::error::{Error, Result};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Command;

/// The workspace and the packages that it builds.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    #[serde(rename = "workspace_root")]
    pub(crate) root: PathBuf,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let command = "cargo metadata --format-version 1";
        let output = Command::new(cargo)
            .args(command.split(' ').skip(1))
            .output()
            .map_err(|source| Error::Run { command: command.into(), source })?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Error::Failed { command: command.into(), stderr });
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|source| Error::Json { what: format!("the output of `{command}`"), source })
    }

    /// The folder that holds the source of a package, of which there has to be one version.
    pub(crate) fn package(&self, name: &str) -> Result<PathBuf> {
        let mut found = self.packages.iter().filter(|package| package.name == name);
        match (found.next(), found.next()) {
            (Some(package), None) => Ok(package.manifest_path.with_file_name("src")),
            (None, _) => Err(Error::unexpected(
                format!("nothing in the workspace depends on `{name}`"),
                "the tables are made from its source, so keep it among the dependencies",
            )),
            (Some(_), Some(_)) => Err(Error::unexpected(
                format!("the workspace builds several versions of `{name}`"),
                format!("`cargo tree -i {name}` says who asks for which: bring them to one"),
            )),
        }
    }
}
