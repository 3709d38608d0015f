//! Commands that a reader is told to type.

use super::page::Page;

/// Every command, and who runs it.
const KNOWN: [(&str, &str); 13] = [
    ("cargo run -- dev", "the gate, with --exit-when-ready"),
    ("cargo run -- render -f examples/shop-mysql.yaml", "the operator's tests of its command line"),
    ("cargo run -- manifests crd", "the operator's tests of its command line"),
    ("cargo run -- manifests rbac", "the operator's tests of its command line"),
    ("cargo test --workspace", "the gate"),
    (".ci/run", "is the gate"),
    ("cargo run -p xtask -- tables", "the gate, with --check"),
    ("cargo run -p xtask --features manifests -- manifests", "the gate, with --check"),
    ("TRYBUILD=overwrite cargo test -p ui-tests", "the gate, without overwriting"),
    ("UPDATE_BOOK=1 cargo test -p book-listings", "the gate, without writing"),
    ("INSTA_UPDATE=always cargo test --workspace", "the gate, without writing"),
    ("kubectl create namespace urutau-system", "a plain install command"),
    ("kubectl apply -f deploy/crd.yaml -f deploy/rbac.yaml", "a plain install command"),
];

#[test]
fn every_command_is_one_that_is_run() {
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
