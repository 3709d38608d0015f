//! The key fields of lists, by the name of the field alone: for lists that are given as a whole.

use super::list_maps::literals;
use crate::lists::{Key, List, Merge};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Names of which built-in kinds have atomic lists with these fields too, where two entries of one key are a mistake
/// all the same, though the server takes them.
const UNIQUE_ANYWAY: &[(&str, &str)] = &[
    // A pull secret of a ServiceAccount.
    ("imagePullSecrets", "name"),
    // A condition of a Job.
    ("conditions", "type"),
    // A variable of a MutatingAdmissionPolicy.
    ("variables", "name"),
];

type Keys = Vec<Key>;

/// Every set of key fields that a name stands for.
#[derive(Debug, Default)]
pub(super) struct KeysByField {
    keys: BTreeMap<String, BTreeSet<Keys>>,
    /// Those that a name does not stand for, with the owners of lists that are atomic.
    left_out: BTreeMap<(String, Keys), BTreeSet<String>>,
}

impl KeysByField {
    pub(super) fn of(lists: &[List]) -> Self {
        let mut by_field = Self::default();
        for list in lists {
            if let Merge::Map { keys } = &list.merge {
                by_field.keys.entry(list.field.clone()).or_default().insert(keys.clone());
            }
        }
        for list in lists {
            if let (Merge::Atomic { fields }, Some(sets)) = (&list.merge, by_field.keys.get_mut(&list.field)) {
                for keys in sets.iter().filter(|keys| !unique_anyway(&list.field, keys) && all_in(keys, fields)) {
                    let owners = by_field.left_out.entry((list.field.clone(), keys.clone())).or_default();
                    owners.insert(list.owner.rsplit('.').next().unwrap_or(&list.owner).to_owned());
                }
            }
        }
        for (field, keys) in by_field.left_out.keys() {
            if let Some(sets) = by_field.keys.get_mut(field) {
                sets.remove(keys);
            }
        }
        for sets in by_field.keys.values_mut() {
            // One that adds a field to another never refuses what the other would not.
            let all = sets.clone();
            sets.retain(|keys| {
                !all.iter().any(|other| other.len() > keys.len() && keys.iter().all(|key| other.contains(key)))
            });
        }
        by_field.keys.retain(|_, sets| !sets.is_empty());
        by_field
    }

    /// A comment line for each set that was left out.
    pub(super) fn left_out(&self) -> String {
        self.left_out.iter().fold(String::new(), |mut text, ((field, keys), owners)| {
            let owners = owners.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "// - {field} [{}]: {owners}", literals(keys));
            text
        })
    }

    /// The arms of a match, one for each set of sets, with the names that stand for it.
    pub(super) fn arms(&self) -> String {
        let mut fields: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (field, sets) in &self.keys {
            let mut sets: Vec<_> = sets.iter().collect();
            sets.sort_by_key(|keys| std::cmp::Reverse(keys.len()));
            let sets: Vec<_> = sets.iter().map(|keys| format!("keys![{}]", literals(keys))).collect();
            fields.entry(sets.join(", ")).or_default().push(field);
        }
        let mut arms: Vec<_> = fields.into_iter().map(|(sets, fields)| (fields, sets)).collect();
        arms.sort();
        arms.iter().fold(String::new(), |mut text, (fields, sets)| {
            let fields = fields.iter().map(|field| format!("{field:?}")).collect::<Vec<_>>().join("\n        | ");
            let _ = writeln!(text, "        {fields} => &[{sets}],");
            text
        })
    }
}

fn unique_anyway(field: &str, keys: &[Key]) -> bool {
    matches!(keys, [key] if UNIQUE_ANYWAY.contains(&(field, &key.name)))
}

fn all_in(keys: &[Key], fields: &[String]) -> bool {
    keys.iter().all(|key| fields.contains(&key.name))
}

#[cfg(test)]
mod tests {
    use super::KeysByField;
    use crate::lists::{Key, KeyType, List, Merge};
    use std::collections::BTreeSet;

    fn list(owner: &str, field: &str, merge: Merge) -> List {
        List { owner: owner.into(), field: field.into(), entry: "a.Entry".into(), merge, minors: BTreeSet::new() }
    }

    fn map(field: &str, names: &[&str]) -> List {
        let key = |name: &&str| Key { name: (*name).into(), ty: KeyType::String, default: None };
        list("a.Map", field, Merge::Map { keys: names.iter().map(key).collect() })
    }

    fn atomic(field: &str, names: &[&str]) -> List {
        list("a.Atomic", field, Merge::Atomic { fields: names.iter().map(|name| (*name).into()).collect() })
    }

    fn arms(lists: &[List]) -> String {
        KeysByField::of(lists).arms()
    }

    #[test]
    fn names_with_the_same_keys_share_an_arm() {
        let lists = [map("b", &["name"]), map("c", &["uid"]), map("a", &["name"])];
        let expected = "        \"a\"\n        | \"b\" => &[keys![\"name\"]],\n        \"c\" => &[keys![\"uid\"]],\n";
        assert_eq!(arms(&lists), expected);
    }

    #[test]
    fn the_more_specific_comes_first() {
        let lists = [map("a", &["b"]), map("a", &["z", "y"])];
        assert_eq!(arms(&lists), "        \"a\" => &[keys![\"z\", \"y\"], keys![\"b\"]],\n");
    }

    #[test]
    fn a_set_within_another_is_left_out() {
        let lists = [map("a", &["x", "y"]), map("a", &["x", "y", "z"])];
        assert_eq!(arms(&lists), "        \"a\" => &[keys![\"x\", \"y\", \"z\"]],\n");
    }

    #[test]
    fn a_set_that_an_atomic_list_of_the_name_has_is_left_out() {
        let lists = [map("a", &["x", "y"]), map("a", &["z"]), atomic("a", &["w", "x", "y"]), atomic("b", &["z"])];
        assert_eq!(arms(&lists), "        \"a\" => &[keys![\"z\"]],\n");
        assert_eq!(KeysByField::of(&lists).left_out(), "// - a [\"x\", \"y\"]: Atomic\n");
        assert_eq!(arms(&[map("a", &["z"]), atomic("a", &["z"])]), "");
    }

    #[test]
    fn but_not_where_two_of_one_key_are_a_mistake_all_the_same() {
        let lists = [map("conditions", &["type"]), atomic("conditions", &["type"])];
        assert_eq!(arms(&lists), "        \"conditions\" => &[keys![\"type\"]],\n");
    }
}
