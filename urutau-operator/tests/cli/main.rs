//! The command line as its users meet it: the built program, its output, its exit code.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod bad_arguments;
mod bad_input;
mod dev;
mod help;
mod namespaces;
mod pipes;
mod plan;
mod render;
mod run;

/// The pipeline of the specification, with one table.
const SHOP: &str = include_str!("shop-mysql.yaml");

/// The same with a second table, which says nothing of its workers.
fn two_tables() -> String {
    format!("{SHOP}        - source: shop.customers\n          target: raw.customers\n          primaryKey: [id]\n")
}

/// The text with one piece of it replaced, which has to be there.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no {from:?}");
    text.replacen(from, to, 1)
}

/// The text without the lines that begin with one of these, blanks aside.
fn without(text: &str, starts: &[&str]) -> String {
    let stays = |line: &&str| !starts.iter().any(|start| line.trim_start().starts_with(start));
    text.split_inclusive('\n').filter(stays).collect()
}
