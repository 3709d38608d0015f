//! Reads the schema of an API server into the extract that the tables are made from.

#[cfg(feature = "control-plane")]
mod control_plane;
mod extract;
mod folder;
#[cfg(feature = "live")]
mod live;

use crate::error::{Error, Result};
use crate::files;
use crate::lists::Lists;
use crate::workspace::Workspace;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Read what an API server says about its lists, for the version it has; `tables` makes the tables from it.
///
/// Without an option, the server is the one of the current kubeconfig. A running server is read by
/// `cargo run -p xtask --features live`. It has to serve every version, because what it does not serve is taken to be
/// gone: `--runtime-config=api/all=true --feature-gates=AllAlpha=true,AllBeta=true`.
#[derive(clap::Args)]
pub(crate) struct Openapi {
    /// Read from the server of this kubeconfig.
    #[arg(long, conflicts_with_all = ["folder", "control_plane"])]
    kubeconfig: Option<PathBuf>,
    /// Read from a folder `api/openapi-spec/v3` of Kubernetes' source, which is what such a server says.
    #[arg(long, requires = "version", conflicts_with = "control_plane")]
    folder: Option<PathBuf>,
    /// The version that the folder is of, such as v1.36.1.
    #[arg(long, requires = "folder")]
    version: Option<String>,
    /// Start an API server and read from it, by `cargo run -p xtask --features control-plane`.
    #[arg(long)]
    control_plane: bool,
    /// Write nothing; fail and show the difference where the committed extract is not what the server says.
    #[arg(long)]
    check: bool,
}

/// The schema of one server.
struct Schema {
    version: String,
    documents: Vec<Value>,
}

impl Openapi {
    pub(crate) fn run(&self) -> Result<()> {
        let schema = match (&self.folder, &self.version) {
            (Some(folder), Some(version)) => Schema { version: version.clone(), documents: folder::read(folder)? },
            _ if self.control_plane => started()?,
            _ => running(self.kubeconfig.as_deref())?,
        };
        let minor = minor(&schema.version)?;
        let root = Workspace::load()?.root;
        let mut lists = Lists::load(&root)?;
        lists.replace(minor, schema.version, extract::lists(&schema.documents)?);
        let generated = [lists.file()?];
        if self.check { files::check(&root, &generated, "-- openapi …") } else { files::write(&root, &generated) }
    }
}

#[cfg(feature = "control-plane")]
fn started() -> Result<Schema> {
    live::block_on(control_plane::read())
}

#[cfg(not(feature = "control-plane"))]
fn started() -> Result<Schema> {
    Err(without("start an API server", "control-plane"))
}

#[cfg(feature = "live")]
fn running(kubeconfig: Option<&Path>) -> Result<Schema> {
    live::block_on(live::read_kubeconfig(kubeconfig))
}

#[cfg(not(feature = "live"))]
fn running(_kubeconfig: Option<&Path>) -> Result<Schema> {
    Err(without("read a running API server", "live"))
}

#[cfg(not(feature = "control-plane"))]
fn without(what: &str, feature: &str) -> Error {
    let todo = format!("run `cargo run -p xtask --features {feature} -- openapi …`");
    Error::unexpected(format!("this xtask was built without what it needs to {what}"), todo)
}

/// The 36 of `v1.36.1`.
fn minor(version: &str) -> Result<u32> {
    let minor = version.strip_prefix("v1.").and_then(|rest| rest.split(['.', '-', '+']).next());
    minor.and_then(|minor| minor.parse().ok()).ok_or_else(|| {
        Error::unexpected(format!("`{version}` is not the version of an API server"), "it looks like v1.36.1")
    })
}

#[cfg(test)]
mod tests {
    use super::minor;

    #[test]
    fn the_minor_version_is_the_second_number() {
        assert_eq!(minor("v1.36.1").unwrap(), 36);
        assert_eq!(minor("v1.37.0-alpha.1+abc").unwrap(), 37);
        assert_eq!(minor("v1.36").unwrap(), 36);
        assert!(minor("1.36").unwrap_err().to_string().contains("it looks like v1.36.1"));
    }
}
