//! Running the program.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a command did.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program in a folder of the test's own, with nothing in its environment.
pub(crate) fn command(folder: &PathBuf) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urutau-operator"));
    command.env_clear().env("RUST_BACKTRACE", "1").current_dir(folder);
    command
}

/// An empty folder under this name; each test has its own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The coordinator's program, likewise.
pub(crate) fn coordinator(folder: &PathBuf) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_urutau-coordinator"));
    command.env_clear().env("RUST_BACKTRACE", "1").current_dir(folder);
    command
}

/// Runs a command to its end.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Whoever does not read its input has closed it.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    assert!(!ran.err.contains("panicked") && !ran.err.contains("backtrace"), "{}", ran.err);
    ran
}

/// Runs the program with these arguments.
pub(crate) fn urutau<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Ran {
    let mut command = command(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
    command.args(arguments);
    run(command, b"")
}

/// Runs `render -f -` on a text.
pub(crate) fn render(text: &str) -> Ran {
    render_with(&[], text)
}

/// The same with more arguments.
pub(crate) fn render_with(arguments: &[&str], text: &str) -> Ran {
    let mut command = command(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
    command.args(["render", "-f", "-"]).args(arguments);
    run(command, text.as_bytes())
}
