//! What the derives have to take: every file of `cases/pass` is compiled, and its tests are run. The expansions of the
//! same files are kept beside the derives.
#![allow(missing_docs, dead_code)]
// Two rules with the same verbs are no slip.
#![allow(clippy::duplicated_attributes)]

#[path = "../cases/pass/calls.rs"]
mod calls;
#[path = "../cases/pass/generics.rs"]
mod generics;
#[path = "../cases/pass/kind.rs"]
mod kind;
#[path = "../cases/pass/lints.rs"]
mod lints;
#[path = "../cases/pass/owned_resource.rs"]
mod owned_resource;
#[path = "../cases/pass/owned_set.rs"]
mod owned_set;
#[path = "../cases/pass/part.rs"]
mod part;
#[path = "../cases/pass/rbac_rules.rs"]
mod rbac_rules;
#[path = "../cases/pass/shadowed.rs"]
mod shadowed;

#[test]
fn every_case_is_run() {
    let this = include_str!("pass.rs");
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/cases/pass");
    let files = std::fs::read_dir(cases).map(|files| files.flatten().map(|file| file.file_name()).collect::<Vec<_>>());
    for file in files.unwrap_or_default() {
        let line = format!("#[path = \"../cases/pass/{}\"]", file.display());
        assert!(this.contains(&line), "{line} is missing here");
    }
}
