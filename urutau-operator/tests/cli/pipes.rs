//! Output that nobody reads, or that can't be written.

use crate::SHOP;
use crate::run::{Ran, command, folder};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::process::{Command, Stdio};

fn shop(name: &str) -> Command {
    let folder = folder(name);
    File::create(folder.join("shop.yaml")).unwrap().write_all(SHOP.as_bytes()).unwrap();
    let mut command = command(&folder);
    command.args(["render", "-f", "shop.yaml"]);
    command
}

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn run(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn output_that_is_read_no_longer_is_no_failure() {
    for arguments in [&["render", "-f", "shop.yaml"][..], &["manifests", "crd"], &["manifests", "rbac"], &["--help"]] {
        let mut command = shop("closed");
        let program = command.get_program().to_owned();
        let folder = command.get_current_dir().unwrap().to_owned();
        command = Command::new(program);
        command.env_clear().current_dir(folder).args(arguments).stdout(closed());
        let ran = run(command);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.contains("panicked") && !ran.err.contains("error"), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn messages_that_nobody_reads_do_not_matter() {
    let mut command = shop("unread");
    command.stderr(closed());
    assert_eq!(run(command).code, Some(0));
}

#[test]
fn output_that_can_not_be_written_is_a_failure() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut command = shop("full");
    command.stdout(full);
    let ran = run(command);
    assert_eq!(ran.code, Some(1));
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("error: can't write to the standard output: No space left on device"), "{}", ran.err);
}
