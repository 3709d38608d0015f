//! What the program says to arguments that it does not understand.

use crate::run::urutau;
use std::fmt::Write as _;

#[test]
fn each_is_told_with_what_was_meant() {
    let cases: [&[&str]; 15] = [
        &[],
        &["rendr", "-f", "x"],
        &["manifest"],
        &["render"],
        &["render", "--fil", "x"],
        &["render", "--coordinator-imag", "x", "-f", "x"],
        &["render", "x.yaml"],
        &["render", "-f"],
        &["manifests"],
        &["manifests", "cdr"],
        &["manifests", "rbac", "--operator-namespace", "Mine"],
        &["run", "--watch-namespaces", "a,B"],
        &["run", "--concurrency", "0"],
        &["run", "--log-format", "jsn"],
        &["dev", "--timeout", "5"],
    ];
    let mut transcript = String::new();
    for arguments in cases {
        let ran = urutau(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!ran.err.trim().is_empty(), "{arguments:?}");
        writeln!(transcript, "$ urutau-operator {}\n{}", arguments.join(" "), ran.err).unwrap();
    }
    insta::assert_snapshot!(transcript);
}
