//! What the program says of itself.

use crate::run::{coordinator, folder, run, urutau};
use std::fmt::Write as _;

#[test]
fn help_texts() {
    let commands: [&[&str]; 7] =
        [&[], &["run"], &["render"], &["manifests"], &["manifests", "crd"], &["manifests", "rbac"], &["dev"]];
    let mut texts = String::new();
    for command in commands {
        let ran = urutau(command.iter().chain(&["--help"]));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{command:?}");
        writeln!(texts, "$ urutau-operator {}\n{}", [command, &["--help"]].concat().join(" "), ran.out).unwrap();
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn help_texts_of_the_coordinator() {
    let commands: [&[&str]; 4] = [&[], &["plan"], &["provision"], &["forget"]];
    let mut texts = String::new();
    for arguments in commands {
        let mut command = coordinator(&folder("coordinator-help"));
        command.args(arguments).arg("--help");
        let ran = run(command, b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{arguments:?}");
        writeln!(texts, "$ urutau-coordinator {}\n{}", [arguments, &["--help"]].concat().join(" "), ran.out).unwrap();
    }
    insta::assert_snapshot!(texts);
}

#[test]
fn the_version() {
    let ran = urutau(["--version"]);
    assert_eq!((ran.code, ran.out), (Some(0), format!("urutau-operator {}\n", env!("CARGO_PKG_VERSION"))));
}
