//! The JSON names of fields that are not the identifier in lowerCamelCase.

use crate::error::{Error, Result};
use crate::files::Generated;
use crate::k8s_types::Version;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const PATH: &str = "urutau-derive/src/expand/json_names.rs";
const TEMPLATE: &str = include_str!("json_names.rs.in");

/// Fields whose identifier has another JSON name everywhere else. An identifier has one name in the table, so a
/// path through these is found to be lost when the first body is read back.
const ODD: &[(&str, &str, &str)] = &[
    ("api::core::v1::DaemonEndpoint", "port", "Port"),
    ("apiextensions_apiserver::pkg::apis::apiextensions::v1::JSONSchemaProps", "schema", "$schema"),
];

/// One in this many names that need no table is in the sample of the test.
const SAMPLED: usize = 40;

pub(super) fn generate(versions: &[Version]) -> Result<Generated> {
    let names = names(versions)?;
    let (plain, table): (Vec<_>, Vec<_>) = names.iter().partition(|(ident, json)| camel(ident) == **json);
    let (keywords, plain): (Vec<_>, Vec<_>) = plain.into_iter().partition(|(ident, _)| ident.ends_with('_'));
    let sample = keywords.into_iter().chain(plain.into_iter().step_by(SAMPLED));
    let text = TEMPLATE
        .replace("@COUNT@", &table.len().to_string())
        .replace("@TABLE@\n", &rows(table, "    "))
        .replace("@ODD@\n", &odd())
        .replace("@SAMPLE@\n", &rows(sample, "        "));
    Ok(Generated { path: PATH.into(), text })
}

fn rows<'a>(pairs: impl IntoIterator<Item = (&'a String, &'a String)>, indent: &str) -> String {
    pairs.into_iter().fold(String::new(), |mut text, (ident, json)| {
        let _ = writeln!(text, "{indent}({ident:?}, {json:?}),");
        text
    })
}

fn odd() -> String {
    ODD.iter().fold(String::new(), |mut text, (path, ident, json)| {
        let _ = writeln!(text, "/// - `{}::{ident}` is `{json}`", path.rsplit("::").next().unwrap_or(path));
        text
    })
}

/// The one JSON name of every identifier.
fn names(versions: &[Version]) -> Result<BTreeMap<String, String>> {
    let mut found: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for of in versions.iter().flat_map(|version| &version.structs) {
        for field in &of.fields {
            if !ODD.contains(&(&of.path, &field.ident, &field.json)) {
                found.entry(&field.ident).or_default().entry(&field.json).or_default().insert(&of.path);
            }
        }
    }
    let mut names = BTreeMap::new();
    for (ident, mut json) in found {
        let (Some((name, _)), true) = (json.pop_first(), json.is_empty()) else {
            return Err(Error::unexpected(
                format!("`{ident}` has several JSON names, one of them in {json:?}"),
                "put the rarer one into `ODD` in xtask/src/tables/json_names.rs",
            ));
        };
        names.insert(ident.to_owned(), name.to_owned());
    }
    Ok(names)
}

/// The identifier in lowerCamelCase, without the `_` that makes a keyword an identifier.
fn camel(ident: &str) -> String {
    let mut words = ident.strip_suffix('_').unwrap_or(ident).split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let (head, tail) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name.push_str(&head.to_uppercase());
        name.push_str(tail);
        name
    })
}

#[cfg(test)]
#[path = "../../../urutau-derive/src/expand/json_names.rs"]
mod committed;

#[cfg(test)]
mod tests {
    use super::{ODD, committed, generate, names};
    use crate::k8s_types::{self, Field, Struct, Version};
    use crate::workspace::Workspace;

    fn real() -> Vec<Version> {
        k8s_types::versions(&Workspace::load().unwrap().package("k8s-openapi").unwrap()).unwrap()
    }

    #[test]
    fn the_committed_table_is_right_for_every_field() {
        let mut fields = 0;
        for of in real().iter().flat_map(|version| &version.structs) {
            for field in &of.fields {
                fields += 1;
                if !ODD.contains(&(&of.path, &field.ident, &field.json)) {
                    assert_eq!(committed::json_name(&field.ident), field.json, "{}", of.path);
                }
            }
        }
        assert!(fields > 10_000, "only {fields} fields were read");
    }

    #[test]
    fn every_odd_field_is_there() {
        let versions = real();
        for (path, ident, json) in ODD {
            let of = versions.iter().flat_map(|version| &version.structs).find(|of| of.path == *path).unwrap();
            assert!(of.fields.iter().any(|field| field.ident == *ident && field.json == *json), "{path}");
        }
    }

    #[test]
    fn it_is_stable() {
        assert_eq!(generate(&real()).unwrap().text, generate(&real()).unwrap().text);
    }

    #[test]
    fn two_names_of_one_identifier_are_an_error_that_says_what_to_do() {
        let field = |json: &str| Field { ident: "port".into(), json: json.into(), ty: "i32".into() };
        let of = Struct { schema: "a.B".into(), path: "a::B".into(), fields: vec![field("port"), field("PORT")] };
        let error = names(&[Version { minor: 33, structs: vec![of] }]).unwrap_err().to_string();
        assert!(error.contains("`port`") && error.contains("`ODD`"), "{error}");
    }
}
