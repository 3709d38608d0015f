//! Every mistake that the derives know, and what is said of it: each file of `cases/fail` must not compile, and must
//! say exactly what stands in its `.stderr`. `TRYBUILD=overwrite cargo test -p ui-tests` writes those anew.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler whose messages are committed; `rust-toolchain.toml` says the same.
const PINNED: &str = "1.95.0";

#[test]
fn every_mistake_is_told_where_it_is_made() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version).into_owned();
    if version.split_whitespace().nth(1) != Some(PINNED) {
        // Written past the capture of the test's output: nobody should take this for a pass.
        let _ =
            writeln!(std::io::stderr(), "\nNOT RUN: the messages are those of rustc {PINNED}, and this is {version}");
        return;
    }
    trybuild::TestCases::new().compile_fail("cases/fail/*/*.rs");
}

#[test]
fn the_compiler_is_the_one_of_the_toolchain_file() {
    let file = include_str!("../../../rust-toolchain.toml");
    assert!(file.contains(&format!("channel = \"{PINNED}\"")), "{file}");
}

/// What was committed as the messages of one case.
struct Messages {
    file: PathBuf,
    text: String,
}

fn committed() -> Vec<Messages> {
    let mut all = Vec::new();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/fail");
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in entries(&cases).flat_map(|folder| entries(&folder).collect::<Vec<_>>()) {
        if file.extension().is_some_and(|extension| extension == "stderr") {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            all.push(Messages { file, text });
        }
    }
    all
}

#[test]
fn nothing_follows_a_message_and_none_is_told_twice() {
    let all = committed();
    assert!(all.len() >= 60, "{} cases", all.len());
    for Messages { file, text } in all {
        let mut places = BTreeSet::new();
        for message in text.split("\n\n").filter(|message| !message.is_empty()) {
            assert!(message.starts_with("error"), "{}: something follows an error:\n{message}", file.display());
            let place = message.lines().find(|line| line.trim_start().starts_with("--> ")).unwrap_or_default();
            assert!(places.insert(place.to_owned()), "{}: two errors at one place:\n{message}", file.display());
        }
    }
}

#[test]
fn no_message_shows_what_is_inside() {
    for Messages { file, text } in committed() {
        for inside in ["private", "E0282", "E0283", "E0599", "type annotations", "warning"] {
            assert!(!text.contains(inside), "{}: shows `{inside}`", file.display());
        }
        // Own identifiers begin with two underscores; rows of them underline.
        let words = text.split(|c: char| c != '_' && !c.is_alphanumeric());
        for word in words.filter(|word| word.starts_with("__")) {
            assert!(word.trim_matches('_').is_empty(), "{}: shows `{word}`", file.display());
        }
    }
}

/// The list that the derives take, as they print it, is the one that rules are made of.
#[test]
fn b_02_the_verbs_of_the_derives_are_those_of_the_rules() {
    let text = include_str!("../cases/fail/verb/b_02_far_from_any.stderr");
    let (_, list) = text.split_once("known here: ").unwrap_or_default();
    let derives: Vec<&str> = list.lines().next().unwrap_or_default().split(", ").chain(["*"]).collect();
    assert_eq!(derives, urutau_core::rbac::Verbs::ALL.names());
}

/// Mistakes in permissions: each file counts one.
#[test]
fn there_is_a_case_for_every_mistake_in_permissions() {
    let of_permissions = |file: &Path| {
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default();
        ["grant", "rule", "verb"].iter().any(|name| folder == *name)
    };
    let cases = committed().into_iter().filter(|messages| of_permissions(&messages.file)).count();
    assert!(cases >= 35, "{cases} cases");
}
