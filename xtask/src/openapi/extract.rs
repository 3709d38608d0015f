//! The lists of objects in the documents of an `OpenAPI` v3 schema.

use crate::error::{Error, Result};
use crate::lists::{Key, KeyType, List, Merge};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Document {
    #[serde(default)]
    components: Components,
}

#[derive(Default, Deserialize)]
struct Components {
    #[serde(default)]
    schemas: BTreeMap<String, Object>,
}

#[derive(Deserialize)]
struct Object {
    #[serde(default)]
    properties: BTreeMap<String, Property>,
}

#[derive(Deserialize)]
struct Property {
    #[serde(rename = "type")]
    ty: Option<String>,
    default: Option<Value>,
    items: Option<Reference>,
    #[serde(rename = "x-kubernetes-list-type")]
    list_type: Option<String>,
    #[serde(default, rename = "x-kubernetes-list-map-keys")]
    keys: Vec<String>,
    #[serde(flatten)]
    reference: Reference,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "$ref")]
    to: Option<String>,
    #[serde(default, rename = "allOf")]
    all_of: Vec<Reference>,
}

impl Reference {
    /// The name of the schema.
    fn name(&self) -> Option<&str> {
        let to = self.to.as_ref().or_else(|| self.all_of.iter().find_map(|one| one.to.as_ref()))?;
        to.strip_prefix("#/components/schemas/")
    }
}

/// Every list of objects, but for the `items` of what a LIST answers. `minors` are left empty.
pub(super) fn lists(documents: &[Value]) -> Result<BTreeSet<List>> {
    let mut lists: BTreeMap<(String, String), List> = BTreeMap::new();
    for document in documents {
        let document = Document::deserialize(document)
            .map_err(|source| Error::Json { what: "an OpenAPI document".into(), source })?;
        let schemas = &document.components.schemas;
        for (owner, object) in schemas {
            for (field, property) in &object.properties {
                let Some(list) = list(schemas, owner, field, property)? else { continue };
                let at = (owner.clone(), field.clone());
                if lists.get(&at).is_some_and(|known| *known != list) {
                    let what = format!("`{owner}` has two lists `{field}`, in two documents");
                    return Err(Error::unexpected(
                        what,
                        "find out which is right and teach xtask/src/openapi/extract.rs",
                    ));
                }
                lists.insert(at, list);
            }
        }
    }
    if lists.is_empty() {
        return Err(Error::unexpected("there is no list in the schema", "read the schema of an API server"));
    }
    Ok(lists.into_values().collect())
}

fn list(schemas: &BTreeMap<String, Object>, owner: &str, field: &str, property: &Property) -> Result<Option<List>> {
    let Some((name, entry)) = property.items.as_ref().and_then(|items| entry(schemas, items)) else { return Ok(None) };
    if field == "items" && owner.ends_with("List") {
        return Ok(None);
    }
    let merge = if property.list_type.as_deref() == Some("map") {
        let keys = property.keys.iter().map(|key| {
            self::key(key, entry).ok_or_else(|| {
                Error::unexpected(
                    format!("the list `{field}` of `{owner}` is merged by `{key}`, which is no text and no integer of `{name}`"),
                    "look at what it is and teach xtask/src/openapi/extract.rs",
                )
            })
        });
        Merge::Map { keys: keys.collect::<Result<_>>()? }
    } else {
        let fields = entry.properties.iter().filter(|(_, property)| scalar(schemas, property));
        Merge::Atomic { fields: fields.map(|(name, _)| name.clone()).collect() }
    };
    let (owner, field, entry) = (owner.to_owned(), field.to_owned(), name.to_owned());
    Ok(Some(List { owner, field, entry, merge, minors: BTreeSet::new() }))
}

/// The schema of a list's entries, where they are objects.
fn entry<'s>(schemas: &'s BTreeMap<String, Object>, items: &'s Reference) -> Option<(&'s str, &'s Object)> {
    let name = items.name()?;
    // Quantities, times and the like are references to schemas without properties.
    schemas.get(name).filter(|entry| !entry.properties.is_empty()).map(|entry| (name, entry))
}

fn scalar(schemas: &BTreeMap<String, Object>, property: &Property) -> bool {
    match property.ty.as_deref() {
        None => property.reference.name().is_some() && entry(schemas, &property.reference).is_none(),
        Some(ty) => matches!(ty, "string" | "integer"),
    }
}

fn key(name: &str, entry: &Object) -> Option<Key> {
    let property = entry.properties.get(name)?;
    let ty = match property.ty.as_deref() {
        Some("string") => KeyType::String,
        Some("integer") => KeyType::Integer,
        _ => return None,
    };
    let default = match &property.default {
        Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(Value::Number(number)) if number.as_i64() != Some(0) => Some(number.to_string()),
        _ => None,
    };
    Some(Key { name: name.to_owned(), ty, default })
}

#[cfg(test)]
mod tests {
    use super::lists;
    use crate::lists::{Key, KeyType, Merge};
    use serde_json::{Value, json};

    fn document(list: &Value) -> Value {
        json!({"components": {"schemas": {
            "a.Owner": {"properties": {"ports": list, "name": {"type": "string"}}},
            "a.Port": {"properties": {
                "port": {"type": "integer", "default": 0},
                "protocol": {"type": "string", "default": "TCP"},
                "weight": {"allOf": [{"$ref": "#/components/schemas/a.Quantity"}]},
                "other": {"type": "object"},
                "owner": {"$ref": "#/components/schemas/a.Owner"},
            }},
            "a.OwnerList": {"properties": {"items": {"type": "array", "items": {"$ref": "#/components/schemas/a.Owner"}}}},
            "a.Quantity": {"type": "string"},
        }}})
    }

    fn map(keys: &[&str]) -> Value {
        json!({
            "type": "array",
            "items": {"default": {}, "allOf": [{"$ref": "#/components/schemas/a.Port"}]},
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": keys,
        })
    }

    fn merge(document: Value) -> Merge {
        let lists = lists(&[document]).unwrap();
        assert_eq!(lists.len(), 1);
        lists.into_iter().next().unwrap().merge
    }

    #[test]
    fn keys_have_their_types_and_defaults() {
        let port = Key { name: "port".into(), ty: KeyType::Integer, default: None };
        let protocol = Key { name: "protocol".into(), ty: KeyType::String, default: Some("TCP".into()) };
        assert_eq!(merge(document(&map(&["port", "protocol"]))), Merge::Map { keys: vec![port, protocol] });
    }

    #[test]
    fn any_other_list_is_atomic_and_says_what_could_be_a_key() {
        let list = json!({"type": "array", "items": {"$ref": "#/components/schemas/a.Port"}});
        assert_eq!(
            merge(document(&list)),
            Merge::Atomic { fields: ["port", "protocol", "weight"].map(Into::into).to_vec() }
        );
    }

    #[test]
    fn lists_of_text_are_none() {
        let list = json!({"type": "array", "items": {"$ref": "#/components/schemas/a.Quantity"}});
        assert!(lists(&[document(&list)]).unwrap_err().to_string().contains("no list"));
    }

    #[test]
    fn a_key_that_an_entry_does_not_have_is_an_error_that_names_it() {
        let error = lists(&[document(&map(&["uid"]))]).unwrap_err().to_string();
        assert!(error.contains("`ports` of `a.Owner` is merged by `uid`"), "{error}");
    }

    #[test]
    fn two_documents_have_to_agree() {
        let error = lists(&[document(&map(&["port"])), document(&map(&["protocol"]))]).unwrap_err().to_string();
        assert!(error.contains("`a.Owner` has two lists `ports`"), "{error}");
        assert_eq!(lists(&[document(&map(&["port"])), document(&map(&["port"]))]).unwrap().len(), 1);
    }
}
