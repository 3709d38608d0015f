//! Commands that a reader is told to type.

use super::page::Page;
use super::{read, root};

/// Who runs a command.
enum By {
    /// The gate, by these words.
    Gate(&'static str),
    /// The tests of the operator's command line, by these words.
    CommandLine(&'static str),
    /// Nobody but who installs or tries something.
    Reader,
}

/// Every command, and who runs it. What updates is run without updating.
const KNOWN: [(&str, By); 18] = [
    ("cargo run -- dev", By::Reader),
    ("cargo run -- render -f examples/shop-mysql.yaml", By::CommandLine(r#""render", "-f""#)),
    (
        "cargo run --bin urutau-coordinator -- plan --config-dir config --state-dir state --bounds bounds.yaml",
        By::CommandLine(r#""plan", "--config-dir""#),
    ),
    ("urutau-coordinator forget raw.orders", By::CommandLine(r#""forget", "--state-dir""#)),
    ("cargo run -- manifests crd", By::CommandLine(r#""manifests", "crd""#)),
    ("cargo run -- manifests rbac", By::CommandLine(r#""manifests", "rbac""#)),
    ("cargo test --workspace", By::Gate("cargo test --workspace")),
    ("cargo run -- manifests rbac --namespace team-a,team-b", By::Reader),
    (".ci/run", By::Gate("Run it as `.ci/run`")),
    ("cargo run -p xtask -- tables", By::Gate("-p xtask -- tables --check")),
    ("cargo run -p xtask --features manifests -- manifests", By::Reader),
    ("TRYBUILD=overwrite cargo test -p ui-tests", By::Gate("cargo test --workspace")),
    ("UPDATE_BOOK=1 cargo test -p book-listings", By::Gate("cargo test --workspace")),
    ("INSTA_UPDATE=always cargo test --workspace", By::Gate("cargo test --workspace")),
    ("cargo bench -p bench", By::Reader),
    ("cargo run --release -p bench -- --owners 200,1000,5000", By::Reader),
    ("kubectl create namespace urutau-system", By::Reader),
    ("kubectl apply -f deploy/crd.yaml -f deploy/rbac.yaml", By::Reader),
];

#[test]
fn every_command_is_known_and_none_is_left_over() {
    let mut used = Vec::new();
    for page in Page::all() {
        for block in page.blocks.iter().filter(|block| block.language == "sh") {
            for line in block.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                let known = KNOWN.iter().any(|(command, _)| *command == line);
                assert!(known, "{}:{}: who runs `{line}`? Say so in KNOWN", page.path, block.line);
                used.push(line.to_owned());
            }
        }
    }
    for (command, _) in KNOWN {
        assert!(used.iter().any(|used| used == command), "no page has `{command}` any longer");
    }
}

#[test]
fn commands_are_run_by_whom_they_are_said_to_be() {
    let gate = read(".ci/run");
    let files = std::fs::read_dir(root().join("urutau-operator/tests/cli")).unwrap();
    let files = files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let tests: String = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for (command, by) in KNOWN {
        let (text, words) = match by {
            By::Gate(words) => (&gate, words),
            By::CommandLine(words) => (&tests, words),
            By::Reader => continue,
        };
        assert!(text.contains(words), "nobody runs `{command}`");
    }
}
