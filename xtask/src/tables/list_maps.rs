//! The lists that Kubernetes merges by key: impls for k8s-openapi's types, and what is known by a field's name.

use super::gate::{Gate, gates};
use super::keys_by_field::KeysByField;
use crate::error::{Error, Result};
use crate::files::Generated;
use crate::k8s_types::{Struct, Version};
use crate::lists::{Key, KeyType, List, Lists, Merge};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const PATH: &str = "urutau-core/src/path/list_maps.rs";
const TEMPLATE: &str = include_str!("list_maps.rs.in");

/// What one impl says: these lists of `owner` are merged by `keys`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Impl {
    owner: String,
    entry: String,
    keys: Vec<Key>,
}

/// The impls, each with the minor versions that have it, and the pairs that get none.
#[derive(Debug, Default)]
struct Impls {
    minors: BTreeMap<Impl, BTreeSet<u32>>,
    /// Owners that have lists of one entry type, of which some are merged in another way.
    mixed: BTreeSet<(String, String)>,
}

pub(super) fn generate(versions: &[Version], lists: &Lists) -> Result<Generated> {
    let impls = impls(versions, lists)?;
    let minors: Vec<_> = versions.iter().map(|version| version.minor).collect();
    let by_field = KeysByField::of(&lists.lists);
    let text = TEMPLATE
        .replace("@SERVERS@", &lists.servers.values().cloned().collect::<Vec<_>>().join(", "))
        .replace("@MIXED@\n", &mixed(&impls.mixed))
        .replace("@ITEMS@\n", &items(&impls, &minors))
        .replace("@LEFT_OUT@\n", &by_field.left_out())
        .replace("@ARMS@\n", &by_field.arms());
    Ok(Generated { path: PATH.into(), text })
}

fn impls(versions: &[Version], lists: &Lists) -> Result<Impls> {
    let mut impls = Impls::default();
    for version in versions {
        if !lists.servers.contains_key(&version.minor) {
            let minor = version.minor;
            return Err(Error::unexpected(
                format!("k8s-openapi has types of 1.{minor}, but no schema of such a server was read"),
                format!("read one: `cargo run -p xtask -- openapi --folder DIR --version v1.{minor}.0`"),
            ));
        }
        // The keys of every list of an owner's entry type; none for a list that is merged as a whole.
        let mut merges: BTreeMap<(String, String), BTreeSet<Option<&[Key]>>> = BTreeMap::new();
        for list in lists.lists.iter().filter(|list| list.minors.contains(&version.minor)) {
            let Some(pair) = pair(version, list)? else { continue };
            let keys = match &list.merge {
                Merge::Map { keys } => Some(keys.as_slice()),
                Merge::Atomic { .. } => None,
            };
            merges.entry(pair).or_default().insert(keys);
        }
        for ((owner, entry), mut merges) in merges {
            match (merges.pop_first(), merges.is_empty()) {
                (Some(Some(keys)), true) => {
                    let one = Impl { owner, entry, keys: keys.to_vec() };
                    impls.minors.entry(one).or_default().insert(version.minor);
                }
                (_, false) => {
                    impls.mixed.insert((owner, entry));
                }
                (Some(None) | None, true) => {}
            }
        }
    }
    Ok(impls)
}

/// The types of a list's owner and entry; none where k8s-openapi does not have the list.
fn pair(version: &Version, list: &List) -> Result<Option<(String, String)>> {
    let Some(owner) = version.structs.iter().find(|of| of.schema == list.owner) else { return Ok(None) };
    let field = owner.fields.iter().find(|field| field.json == list.field);
    let Some(entry) = field.and_then(|field| element(&field.ty)) else {
        return match list.merge {
            Merge::Map { .. } => Err(unlike(version, owner, list)),
            Merge::Atomic { .. } => Ok(None),
        };
    };
    let known = version.structs.iter().find(|of| of.path == entry);
    if known.is_some_and(|known| known.schema != list.entry) {
        return Err(unlike(version, owner, list));
    }
    Ok(Some((owner.path.clone(), entry.to_owned())))
}

/// The type of a list's entries.
fn element(ty: &str) -> Option<&str> {
    let ty = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty);
    ty.strip_prefix("std::vec::Vec<crate::")?.strip_suffix('>')
}

fn unlike(version: &Version, owner: &Struct, list: &List) -> Error {
    Error::unexpected(
        format!("1.{}: `{}` has no list `{}` of `{}`", version.minor, owner.path, list.field, list.entry),
        "read the schema of a server of that version again, or teach xtask/src/tables/list_maps.rs",
    )
}

fn mixed(pairs: &BTreeSet<(String, String)>) -> String {
    if pairs.is_empty() {
        return "// No type has lists of one entry type that are merged in different ways.\n".to_owned();
    }
    pairs.iter().fold(String::new(), |mut text, (owner, entry)| {
        let _ = writeln!(text, "// No impl: `{owner}` has lists of `{entry}` that are merged in different ways.");
        text
    })
}

/// The calls of `list_maps!`, one for all versions and one for each span of versions.
fn items(impls: &Impls, minors: &[u32]) -> String {
    let mut rows: BTreeMap<Gate, Vec<String>> = BTreeMap::new();
    for (one, of) in &impls.minors {
        for gate in gates(of, minors) {
            rows.entry(gate).or_default().push(row(one));
        }
    }
    let sections = rows.into_iter().map(|(gate, mut rows)| {
        rows.sort();
        gate.around("list_maps!", &rows)
    });
    sections.collect::<Vec<_>>().join("\n")
}

fn row(one: &Impl) -> String {
    let types: Vec<_> = one.keys.iter().map(|key| if key.ty == KeyType::String { "Text" } else { "Number" }).collect();
    let key = if let [one] = types[..] { one.to_owned() } else { format!("({})", types.join(", ")) };
    format!("{}, {}, {key}, [{}];", one.owner, one.entry, literals(&one.keys))
}

/// Key fields as the macros of the generated file take them.
pub(super) fn literals(keys: &[Key]) -> String {
    let literal = |key: &Key| match &key.default {
        Some(default) => format!("{:?} = {default:?}", key.name),
        None => format!("{:?}", key.name),
    };
    keys.iter().map(literal).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Impl, element, generate, impls, items, row};
    use crate::k8s_types::{self, Field, Struct, Version};
    use crate::lists::{Key, KeyType, List, Lists, Merge};
    use crate::workspace::Workspace;
    use std::collections::BTreeSet;

    fn key(name: &str) -> Key {
        Key { name: name.into(), ty: KeyType::String, default: None }
    }

    /// An owner with the lists `a` and `b`, of one entry type.
    fn version(minor: u32) -> Version {
        let field = |name: &str| Field {
            ident: name.into(),
            json: name.into(),
            ty: "Option<std::vec::Vec<crate::api::Entry>>".into(),
        };
        let owner =
            Struct { schema: "k.Owner".into(), path: "api::Owner".into(), fields: vec![field("a"), field("b")] };
        let entry = Struct { schema: "k.Entry".into(), path: "api::Entry".into(), fields: vec![] };
        Version { minor, structs: vec![owner, entry] }
    }

    fn list(field: &str, merge: Merge) -> List {
        let (owner, entry) = ("k.Owner".into(), "k.Entry".into());
        List { owner, field: field.into(), entry, merge, minors: BTreeSet::new() }
    }

    fn map(field: &str, name: &str) -> List {
        list(field, Merge::Map { keys: vec![key(name)] })
    }

    fn atomic(field: &str) -> List {
        list(field, Merge::Atomic { fields: vec![] })
    }

    fn lists(of: &[(u32, &[List])]) -> Lists {
        let mut lists = Lists::default();
        for (minor, list) in of {
            lists.replace(*minor, format!("v1.{minor}.0"), list.iter().cloned().collect());
        }
        lists
    }

    #[test]
    fn two_lists_that_are_merged_alike_are_one_impl() {
        let impls = impls(&[version(33)], &lists(&[(33, &[map("a", "name"), map("b", "name")])])).unwrap();
        assert_eq!(impls.minors.len(), 1);
        assert!(impls.mixed.is_empty());
    }

    #[test]
    fn lists_that_are_merged_in_different_ways_get_no_impl() {
        for other in [map("b", "uid"), atomic("b")] {
            let impls = impls(&[version(33)], &lists(&[(33, &[map("a", "name"), other])])).unwrap();
            assert!(impls.minors.is_empty());
            assert_eq!(impls.mixed, [("api::Owner".into(), "api::Entry".into())].into());
        }
    }

    #[test]
    fn a_list_that_changes_its_key_has_an_impl_for_each_version() {
        let lists = lists(&[(33, &[atomic("a")]), (34, &[map("a", "name")]), (35, &[map("a", "uid")])]);
        let versions = [version(33), version(34), version(35)];
        let impls = impls(&versions, &lists).unwrap();
        let expected = "\
k8s_openapi::k8s_if_ge_1_34! {
    k8s_openapi::k8s_if_le_1_34! {
        list_maps! {
            api::Owner, api::Entry, Text, [\"name\"];
        }
    }
}

k8s_openapi::k8s_if_ge_1_35! {
    list_maps! {
        api::Owner, api::Entry, Text, [\"uid\"];
    }
}
";
        assert_eq!(items(&impls, &[33, 34, 35]), expected);
    }

    #[test]
    fn a_key_of_two_is_a_tuple() {
        let number = Key { name: "port".into(), ty: KeyType::Integer, default: None };
        let text = Key { name: "protocol".into(), ty: KeyType::String, default: Some("TCP".into()) };
        let one = Impl { owner: "a::B".into(), entry: "a::C".into(), keys: vec![number, text] };
        assert_eq!(row(&one), r#"a::B, a::C, (Number, Text), ["port", "protocol" = "TCP"];"#);
    }

    #[test]
    fn elements_are_those_of_lists_of_the_crates_types() {
        assert_eq!(element("std::vec::Vec<crate::a::B>"), Some("a::B"));
        assert_eq!(element("Option<std::vec::Vec<crate::a::B>>"), Some("a::B"));
        assert_eq!(element("Option<std::vec::Vec<std::string::String>>"), None);
        assert_eq!(element("Option<crate::a::B>"), None);
    }

    #[test]
    fn a_version_without_a_schema_is_an_error_that_says_how_to_read_it() {
        let error = generate(&[version(38)], &Lists::default()).unwrap_err().to_string();
        assert!(error.contains("openapi --folder DIR --version v1.38.0"), "{error}");
    }

    #[test]
    fn a_list_that_the_type_does_not_have_is_an_error_that_names_it() {
        let error = generate(&[version(33)], &lists(&[(33, &[map("c", "name")])])).unwrap_err().to_string();
        assert!(error.contains("1.33: `api::Owner` has no list `c` of `k.Entry`"), "{error}");
    }

    #[test]
    fn it_is_stable() {
        let workspace = Workspace::load().unwrap();
        let versions = k8s_types::versions(&workspace.package("k8s-openapi").unwrap()).unwrap();
        let lists = Lists::load(&workspace.root).unwrap();
        let first = generate(&versions, &lists).unwrap().text;
        assert_eq!(first, generate(&versions, &lists).unwrap().text);
        assert!(first.contains(r#"api::core::v1::PodSpec, api::core::v1::Container, Text, ["name"];"#));
    }
}
