//! Generated files: written, or compared with what is committed.

use crate::diff;
use crate::error::{Error, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A generated file.
#[derive(Debug)]
pub(crate) struct Generated {
    /// Where it belongs, from the root of the workspace.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Writes the files that differ, and says which.
pub(crate) fn write(root: &Path, files: &[Generated]) -> Result<()> {
    for file in files {
        let path = root.join(&file.path);
        if committed(&path)?.as_ref() == Some(&file.text) {
            println!("unchanged {}", file.path.display());
            continue;
        }
        let parent = path.parent().unwrap_or(root);
        fs::create_dir_all(parent).map_err(|source| Error::File {
            action: "create",
            path: parent.to_path_buf(),
            source,
        })?;
        fs::write(&path, &file.text).map_err(|source| Error::File { action: "write", path, source })?;
        println!("wrote     {}", file.path.display());
    }
    Ok(())
}

/// An error that shows every line that differs; `command` is what makes xtask write the files.
pub(crate) fn check(root: &Path, files: &[Generated], command: &'static str) -> Result<()> {
    let mut differences = Vec::new();
    for file in files {
        let old = committed(&root.join(&file.path))?;
        if old.as_ref() != Some(&file.text) {
            let missing = if old.is_none() { " (missing)" } else { "" };
            differences.push(format!("{}{missing}", file.path.display()));
            differences.extend(diff::lines(old.as_deref().unwrap_or_default(), &file.text));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(Error::Drift { diff: differences.join("\n"), command }) }
}

fn committed(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::File { action: "read", path: path.to_path_buf(), source }),
    }
}
