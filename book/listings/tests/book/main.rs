//! The book holds what it says: every listing is an anchored region of a file that is compiled or compared, every link
//! leads somewhere, every command is one that is run, and the attribute reference is the derives' own.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod attributes;
mod commands;
mod includes;
mod links;
mod page;
mod pipeline;

use page::Page;
use std::path::PathBuf;

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_readme_quotes_the_smallest_operator() {
    let readme = Page::read("README.md");
    let quotes: Vec<_> = readme.blocks.iter().filter(|block| block.language == "rust").collect();
    assert_eq!(quotes.len(), 1);
    assert_eq!(quotes[0].text, read("examples/hello/src/main.rs"), "README.md and examples/hello/src/main.rs differ");
}

#[test]
fn no_page_knows_the_machine_that_it_was_written_on() {
    for page in Page::all() {
        for (number, line) in (1..).zip(page.text.lines()) {
            let found = ["/root/", "/home/", "/tmp/"].into_iter().find(|path| line.contains(path));
            assert!(found.is_none(), "{}:{number}: {line}", page.path);
        }
    }
}
