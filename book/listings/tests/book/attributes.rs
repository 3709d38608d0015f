//! The attribute reference is the derives' own documentation.

use super::{read, root};
use std::collections::BTreeSet;

const PAGE: &str = "book/src/attributes.md";
const DERIVES: &str = "urutau-derive/src/lib.rs";
const PARSERS: [&str; 3] = ["owned", "owned_set", "rule"];

const HEAD: &str = "# Attribute reference

One attribute for each role. This page is made from the documentation of the derives, which is what an editor shows.
";

/// The derives with their documentation, in the order of the file.
fn derives() -> Vec<(String, Vec<String>)> {
    let source = read(DERIVES);
    let (mut derives, mut docs) = (Vec::new(), Vec::new());
    for line in source.lines() {
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned());
        } else if let Some(derive) = line.strip_prefix("#[proc_macro_derive(") {
            let name = derive.split([',', ')']).next().unwrap().to_owned();
            derives.push((name, std::mem::take(&mut docs)));
        } else {
            docs.clear();
        }
    }
    derives
}

/// The page that they come to.
fn page() -> String {
    let mut page = HEAD.to_owned();
    for (name, docs) in derives() {
        page.extend(["\n## ", &name, "\n\n"]);
        for line in docs {
            let line = line.strip_prefix("# ").map_or(line.clone(), |heading| format!("### {heading}"));
            page.push_str(&linked(&line));
            page.push('\n');
        }
    }
    page
}

/// Links to other derives lead within the page.
fn linked(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("[`macro@") {
        let (name, after) = after.split_once("`]").unwrap();
        text.extend([before, "[`", name, "`](#", &name.to_lowercase(), ")"]);
        rest = after;
    }
    text + rest
}

#[test]
fn the_reference_is_what_the_derives_say() {
    let page = page();
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(root().join(PAGE), &page).unwrap();
    }
    assert_eq!(read(PAGE), page, "{PAGE} is out of date: UPDATE_BOOK=1 cargo test -p book-listings");
}

/// The attributes and keys that the parser accepts.
fn accepted() -> BTreeSet<(String, String)> {
    let mut accepted = BTreeSet::new();
    for parser in PARSERS {
        let source = read(&format!("urutau-derive/src/parse/{parser}.rs"));
        for piece in source.split("attribute: \"").skip(1) {
            let attribute = piece.split('"').next().unwrap();
            let known = piece.split_once("known: &[").unwrap().1.split(']').next().unwrap();
            let keys = known.split(',').map(|key| key.trim().trim_matches('"')).filter(|key| !key.is_empty());
            accepted.extend(keys.map(|key| (attribute.to_owned(), key.to_owned())));
        }
    }
    accepted
}

/// The words that stand in code below the heading of an attribute, and in it.
fn documented(attribute: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for (_, docs) in derives() {
        let mut inside = false;
        for line in docs {
            if line.starts_with("# ") {
                inside = line.starts_with(&format!("# `#[{attribute}("));
            }
            if inside {
                let code = line.split('`').skip(1).step_by(2);
                keys.extend(
                    code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_')).map(str::to_owned),
                );
            }
        }
    }
    keys
}

#[test]
fn every_key_that_is_accepted_is_documented() {
    let accepted = accepted();
    assert!(accepted.len() >= 21, "the parsers are read wrongly: {accepted:?}");
    for (attribute, key) in accepted {
        assert!(
            documented(&attribute).contains(&key),
            "#[{attribute}({key})] is not in the documentation of the derives"
        );
    }
}

#[test]
fn every_key_that_is_listed_is_accepted() {
    let accepted = accepted();
    for attribute in ["owned", "owned_set", "member"] {
        for (_, docs) in derives() {
            let heading = format!("# `#[{attribute}(");
            let below = docs.iter().skip_while(|line| !line.starts_with(&heading)).skip(1);
            for line in below.take_while(|line| !line.starts_with("# ")) {
                let Some(item) = line.strip_prefix("- `") else { continue };
                let key: String = item.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(
                    accepted.contains(&(attribute.to_owned(), key.clone())),
                    "#[{attribute}({key})] is not accepted"
                );
            }
        }
    }
}
