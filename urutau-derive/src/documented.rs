//! The documentation of the derives is the reference: it names every attribute and key that is read, and no other.

use crate::parse::known as parse;
use std::collections::BTreeSet;

/// The attributes of each derive, with the keys of each.
fn known() -> Vec<(&'static str, &'static str, BTreeSet<&'static str>)> {
    let keys = |keys: &[&'static str]| keys.iter().copied().collect::<BTreeSet<_>>();
    let none = BTreeSet::new;
    vec![
        ("owned_resource", "owned", keys(parse::OWNED)),
        ("owned_resource", "set", none()),
        ("owned_resource", "at", none()),
        ("owned_resource", "part", none()),
        ("part", "part", keys(parse::PART)),
        ("part", "set", none()),
        ("part", "at", none()),
        ("owned_set", "owned_set", keys(parse::SET)),
        ("owned_set", "member", keys(parse::MEMBER)),
        ("rbac_rules", "rule", keys(parse::RULE)),
        ("rbac_rules", "rbac", keys(parse::RBAC)),
        ("kind", "kube", keys(&["group", "version", "kind", "plural", "namespaced", "root"])),
        ("kind", "kind", keys(parse::KIND)),
    ]
}

/// The documentation of every derive: its function, the attributes it declares, and the lines.
fn documented() -> Vec<(String, BTreeSet<String>, Vec<String>)> {
    let file = syn::parse_file(include_str!("lib.rs")).unwrap();
    let mut derives = Vec::new();
    for item in file.items {
        let syn::Item::Fn(function) = item else { continue };
        let mut declared = BTreeSet::new();
        let mut lines = Vec::new();
        for attr in &function.attrs {
            if attr.path().is_ident("proc_macro_derive") {
                let text = attr.meta.require_list().unwrap().tokens.to_string();
                let (_, list) = text.split_once("attributes").unwrap();
                declared.extend(
                    list.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .filter(|word| !word.is_empty())
                        .map(str::to_owned),
                );
            } else if let syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(literal), .. }) = &attr.meta
                && let syn::Lit::Str(line) = &literal.lit
            {
                lines.push(line.value().trim().to_owned());
            }
        }
        derives.push((function.sig.ident.to_string(), declared, lines));
    }
    derives
}

/// The sections of a derive's documentation: the attribute of the heading, and what stands below.
fn sections(lines: &[String]) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in lines {
        if let Some(heading) = line.strip_prefix("# `#[") {
            let name = heading.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            sections.push((name.to_owned(), format!("{heading}\n")));
        } else if let Some((_, text)) = sections.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    sections
}

/// The words that a section names as keys: those in its heading, and those that a code span begins with.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (i, span) in text.split('`').enumerate() {
        // The heading is a code span whose first half was cut off.
        if i == 0 {
            words.extend(span.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
        } else if i % 2 == 0 {
            let word: String = span.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            words.insert(word);
        }
    }
    words
}

#[test]
fn every_attribute_has_a_heading_and_every_heading_is_read() {
    for (derive, declared, lines) in documented() {
        let headings: BTreeSet<String> = sections(&lines).into_iter().map(|(name, _)| name).collect();
        let read: BTreeSet<String> =
            known().iter().filter(|(of, ..)| *of == derive).map(|(_, attribute, _)| (*attribute).to_owned()).collect();
        assert_eq!(headings, read, "the headings of {derive}");
        assert_eq!(declared, read, "the attributes that {derive} declares");
    }
}

#[test]
fn every_key_is_documented() {
    let documented = documented();
    for (derive, attribute, keys) in known() {
        let (_, _, lines) = documented.iter().find(|(name, ..)| name == derive).unwrap();
        let text: String =
            sections(lines).into_iter().filter(|(name, _)| name == attribute).map(|(_, text)| text).collect();
        let words = words(&text);
        for key in keys {
            assert!(words.contains(key), "`{key}` of `#[{attribute}]` is not in the documentation of {derive}");
        }
    }
}

#[test]
fn every_documented_key_is_read() {
    for (derive, _, lines) in documented() {
        for (attribute, text) in sections(&lines) {
            let known = known();
            let (.., keys) = known.iter().find(|(of, name, _)| *of == derive && *name == attribute).unwrap();
            for line in text.lines().filter_map(|line| line.strip_prefix("- `")) {
                let key: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                assert!(keys.contains(key.as_str()), "`{key}` is documented for `#[{attribute}]`, and not read");
            }
        }
    }
}
