//! `dev`: a control plane with the operator on it.

use crate::SHOP;
use crate::run::{Ran, command, folder, run};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What is needed to find, or else to build, the programs of the control plane.
const KEPT: [&str; 7] = ["KUBEBUILDER_ASSETS", "HOME", "PATH", "XDG_CACHE_HOME", "GOPROXY", "GOFLAGS", "GOMODCACHE"];

/// `dev` in a folder of its own, which also holds what it makes.
fn dev(name: &str, arguments: &[&str]) -> (Command, PathBuf) {
    let folder = folder(name);
    let made = folder.join("made");
    fs::create_dir(&made).unwrap();
    fs::write(folder.join("shop.yaml"), SHOP).unwrap();
    let mut command = command(&folder);
    command.envs(KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.env("TMPDIR", &made).arg("dev").args(arguments);
    (command, made)
}

/// Neither files nor processes are left.
fn assert_nothing_is_left(made: &PathBuf) {
    assert_eq!(fs::read_dir(made).unwrap().count(), 0, "files are left in {}", made.display());
    let processes = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    let text = String::from_utf8_lossy(&processes.stdout);
    let left: Vec<&str> = text.lines().filter(|line| line.contains(made.to_str().unwrap())).collect();
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn it_ends_when_the_example_is_ready() {
    let (command, made) = dev("dev-ready", &["--exit-when-ready"]);
    let Ran { code, out, err } = run(command, b"");
    assert_eq!(code, Some(0), "{err}\n{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.last().unwrap().starts_with("every pipeline is ready after "), "{out}");
    let shown = |kind: &str, name: &str, state: &str| {
        lines.iter().any(|line| {
            let words: Vec<&str> = line.split_whitespace().skip(1).collect();
            words.first() == Some(&kind) && words.get(1) == Some(&name) && line.ends_with(state)
        })
    };
    for kind in ["ServiceAccount", "Role", "RoleBinding", "Service", "ConfigMap", "PodDisruptionBudget"] {
        assert!(shown(kind, "default/shop-mysql-coordinator", " applied"), "{kind}: {out}");
    }
    assert!(shown("StatefulSet", "default/shop-mysql-coordinator", " 1/1 ready"), "{out}");
    assert!(shown("Pod", "default/shop-mysql-coordinator-0", " Running"), "{out}");
    assert!(shown("CDCPipeline", "default/shop-mysql", " Running"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colours where nobody sees them: {out}");
    assert_nothing_is_left(&made);
}

#[test]
fn it_says_what_a_pipeline_waits_for() {
    let (command, made) = dev("dev-waiting", &["-f", "shop.yaml", "--exit-when-ready", "--timeout", "5"]);
    let Ran { code, out, err } = run(command, b"");
    assert_eq!(code, Some(1), "{err}\n{out}");
    let note = "Secret `shop-mysql-creds` is not in the file; the pipeline waits until you make it";
    let error = "error: not every pipeline was ready after 5 seconds\n  default/shop-mysql: SecretMissing: ";
    assert!(err.contains(note) && err.contains(error), "{err}");
    assert!(out.contains("Pending: SecretMissing"), "{out}");
    assert_nothing_is_left(&made);
}

#[test]
fn ctrl_c_leaves_nothing() {
    let (mut command, made) = dev("dev-stopped", &[]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("CDCPipeline") {
        line.clear();
        assert!(out.read_line(&mut line).unwrap() > 0, "it ended by itself");
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_nothing_is_left(&made);
}

#[test]
fn a_bad_file_is_told_before_anything_is_started() {
    let cases = [
        ("nope.yaml", "error: nope.yaml: there is no such file; "),
        ("tab.yaml", "error: tab.yaml: document 1 of 1, line 2, column 2: tabs disallowed"),
        ("half.yaml", "error: half.yaml: document 2 of 2, line 35: kind: `Deployment` of `apps/v1` is not ours; "),
    ];
    for (file, expected) in cases {
        let (command, made) = dev("dev-bad-file", &["-f", file]);
        let folder = made.parent().unwrap();
        fs::write(folder.join("tab.yaml"), "a:\n\tb: 1\n").unwrap();
        fs::write(folder.join("half.yaml"), format!("{SHOP}---\napiVersion: apps/v1\nkind: Deployment\n")).unwrap();
        let Ran { code, out, err } = run(command, b"");
        assert_eq!((code, out.as_str()), (Some(1), ""), "{file}");
        assert!(err.starts_with(expected) && !err.contains("control plane"), "{file}: {err}");
    }
}
