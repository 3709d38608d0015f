//! The one folder in which everything of a control plane lies, removed when the last of it is gone.

use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
};

use super::error::Error;

/// Waits for the end of its pipe, which we and every guardian hold open, and removes the folder.
/// A process that was killed may still be closing a file, hence the second attempt.
const JANITOR: &str = r#"
while read -r _; do :; done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
"#;

/// A temporary folder; dropping it removes it, once every process that was given [`Folder::alive`] has ended.
pub(super) struct Folder {
    path: PathBuf,
    janitor: Child,
    lifeline: Option<ChildStdin>,
}

impl Folder {
    pub(super) fn create() -> Result<Self, Error> {
        let temp = std::env::temp_dir();
        let folder = tempfile::Builder::new()
            .prefix("urutau-control-plane-")
            .tempdir_in(&temp)
            .map_err(Error::file("create a folder in", &temp))?;
        let mut janitor = Command::new("sh")
            .args(["-c", JANITOR, "janitor"])
            .arg(folder.path())
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| Error::Spawn { name: "sh", source })?;
        let lifeline = janitor.stdin.take();
        Ok(Self { path: folder.keep(), janitor, lifeline })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// An open end of the janitor's pipe: the folder stays while it is open.
    pub(super) fn alive(&self) -> Result<OwnedFd, Error> {
        self.lifeline
            .as_ref()
            .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
            .and_then(|pipe| pipe.as_fd().try_clone_to_owned())
            .map_err(|source| Error::Spawn { name: "sh", source })
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.join(name);
        std::fs::write(&path, text).map_err(Error::file("write", &path))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.lifeline = None;
        // The janitor works on without us if this fails.
        let _ = self.janitor.wait();
    }
}
