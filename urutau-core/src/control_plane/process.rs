//! Processes that cannot outlive us, however we end.
//!
//! Each is the child of a small `sh`, the guardian, whose standard input is a pipe that only we hold. When the
//! pipe closes, because we say so, panicked, or were killed, the guardian kills its child. Guardians have a
//! process group of their own, so a Ctrl-C at the terminal reaches us first and them through the pipe.

use std::{
    ffi::OsStr,
    fs,
    io::{Read, Seek, SeekFrom},
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
};

use super::error::Error;

/// The subshell waits for the end of the pipe; the shell itself for the child, so that its exit status is the
/// child's. A child that was killed takes its own children along (`kill -9 0`: the whole group).
const GUARDIAN: &str = r#"
log=$1; shift
exec 3<&0
"$@" </dev/null >>"$log" 2>&1 3<&- &
child=$!
{ while read -r _; do :; done <&3; kill -9 "$child"; } &
watcher=$!
exec 3<&- </dev/null
wait "$child"
status=$?
[ "$status" -gt 128 ] && kill -9 0
kill -9 "$watcher"
exit "$status"
"#;

/// What to run.
pub(super) struct Launch<'a> {
    pub(super) name: &'static str,
    pub(super) program: &'a Path,
    pub(super) args: &'a [String],
    pub(super) env: &'a [(&'a str, &'a OsStr)],
    /// The working directory.
    pub(super) folder: &'a Path,
    /// Where its output is appended.
    pub(super) log: PathBuf,
    /// Stays open until the process is gone.
    pub(super) alive: Option<OwnedFd>,
}

/// A running process; dropping it kills it and waits until it is gone.
pub(super) struct Process {
    name: &'static str,
    guardian: Child,
    lifeline: Option<ChildStdin>,
    log: PathBuf,
}

impl Process {
    pub(super) fn spawn(launch: Launch<'_>) -> Result<Self, Error> {
        let failed = |source| Error::Spawn { name: launch.name, source };
        let mut command = Command::new("sh");
        command
            .args(["-c", GUARDIAN, "guardian"])
            .arg(&launch.log)
            .arg(launch.program)
            .args(launch.args)
            .envs(launch.env.iter().copied())
            .current_dir(launch.folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(launch.alive.map_or_else(Stdio::null, Stdio::from))
            .stderr(Stdio::null());
        let mut guardian = command.spawn().map_err(failed)?;
        let lifeline = guardian.stdin.take();
        Ok(Self { name: launch.name, guardian, lifeline, log: launch.log })
    }

    /// The exit status, once the process has ended by itself.
    pub(super) fn ended(&mut self) -> Result<Option<ExitStatus>, Error> {
        self.guardian.try_wait().map_err(|source| Error::Spawn { name: self.name, source })
    }

    /// Fails with the end of the log when the process has ended.
    pub(super) fn check(&mut self) -> Result<(), Error> {
        match self.ended()? {
            None => Ok(()),
            Some(status) => Err(Error::Ended { name: self.name, status: status.to_string(), log: self.log_tail() }),
        }
    }

    /// The last lines of its output, for an error message.
    pub(super) fn log_tail(&self) -> String {
        tail(&self.log)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.lifeline = None;
        // Nothing can be done about a child that cannot be waited for; it was killed all the same.
        let _ = self.guardian.wait();
    }
}

/// The last 20 lines of a file, at most 4 KiB of them; empty when it cannot be read.
pub(super) fn tail(path: &Path) -> String {
    const BYTES: u64 = 4096;
    const LINES: usize = 20;
    let mut text = Vec::new();
    let read = fs::File::open(path).and_then(|mut file| {
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(BYTES)))?;
        file.read_to_end(&mut text)
    });
    if read.is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}
