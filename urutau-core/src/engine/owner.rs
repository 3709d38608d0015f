//! An owner as it is watched and kept: as compressed text, read into its type when it is worked on. One that can't be
//! read is the problem of its own pass, and not of the watch.

mod copy;
mod packed;

use self::copy::{Copied, CopiedMap};
pub(super) use self::packed::Packed;
use super::hash;
use super::key::{ObjectKey, Uid};
use super::seen::{Entry, Flat};
use crate::kind::KindId;
use crate::ready::lenient;
use crate::status::OwnedRecord;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::DynamicResourceScope;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// An owner as an event or an answer has it.
#[derive(Clone, Debug)]
pub(super) struct SeenOwner {
    meta: ObjectMeta,
    pub(super) owner: Owner,
    /// What each manager claims of what it applies through the status.
    claims: Vec<(String, Flat)>,
}

/// An owner as it is kept.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) key: ObjectKey,
    pub(super) uid: Uid,
    pub(super) version: u64,
    pub(super) generation: Option<i64>,
    pub(super) deleting: bool,
    /// A hash of everything but the status.
    pub(super) trigger: u64,
    /// A hash of the status.
    pub(super) status: u64,
    /// What we claim in the status, a line each.
    pub(super) claims: Box<str>,
    /// The object without its managed fields, compressed.
    pub(super) json: Packed,
}

impl SeenOwner {
    /// The owner, as far as `manager` is concerned with its status.
    pub(super) fn kept(mut self, manager: &str) -> Owner {
        let ours = self.claims.iter().find(|(claims, _)| claims == manager);
        self.owner.claims = ours.map(|(_, fields)| status_claims(fields).join("\n").into()).unwrap_or_default();
        self.owner
    }
}

impl Owner {
    /// The object as its type.
    ///
    /// # Errors
    /// What keeps it from being read, without a place in a text that nobody else has.
    pub(super) fn typed<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        let json = self.json.text().map_err(serde_json::Error::custom)?;
        serde_json::from_slice(&json).or_else(|_| T::deserialize(serde_json::from_slice::<Value>(&json)?))
    }

    /// Its status as it is; null when it has none.
    pub(super) fn status(&self) -> Value {
        self.status_as().unwrap_or_default()
    }

    /// What we claim in the status: its fields, and `conditions[Ready]` for single conditions.
    pub(super) fn claims(&self) -> Vec<&str> {
        self.claims.lines().collect()
    }

    /// The objects that its status says it owns.
    pub(super) fn records(&self) -> Vec<OwnedRecord> {
        #[derive(Default, Deserialize)]
        struct Recorded {
            owned: Vec<OwnedRecord>,
        }
        self.status_as::<Recorded>().unwrap_or_default().owned
    }

    fn status_as<T: DeserializeOwned>(&self) -> Option<T> {
        #[derive(Deserialize)]
        struct Object<T> {
            status: T,
        }
        let json = self.json.text().ok()?;
        serde_json::from_slice::<Object<T>>(&json).ok().map(|object| object.status)
    }
}

impl<'de> Deserialize<'de> for SeenOwner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

/// Reads an owner, and copies what is kept of it.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = SeenOwner;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SeenOwner, A::Error> {
        let mut json = Vec::with_capacity(4096);
        let mut copy = CopiedMap::begin(&mut json);
        let (mut trigger, mut status) = (0_u64, hash::value(&Value::Null));
        let mut metadata = None;
        while let Some(key) = map.next_key::<String>()? {
            let to = copy.key(&key)?;
            let value = match key.as_str() {
                "metadata" => metadata.insert(map.next_value_seed(MetadataReader(to))?).hash,
                "status" => {
                    status = map.next_value_seed(Copied(to))?;
                    continue;
                }
                _ => copy_as_it_is(&mut map, to)?.1,
            };
            trigger = trigger.wrapping_add(hash::entry(&key, value));
        }
        copy.end();
        let metadata = metadata.ok_or_else(|| A::Error::missing_field("metadata"))?;
        Ok(metadata.owner(Packed::new(&json).map_err(A::Error::custom)?, trigger, status))
    }
}

/// Copies the next value as it stands there, and gives it with its hash: an API server writes the same in the same way.
/// It has to stand in a text: in a watch the type of an event comes before the object, so nothing is read twice.
fn copy_as_it_is<'de, A: MapAccess<'de>>(map: &mut A, to: &mut Vec<u8>) -> Result<(&'de str, u64), A::Error> {
    let text = map.next_value::<&RawValue>()?.get();
    to.extend_from_slice(text.as_bytes());
    Ok((text, hash::bytes(text.as_bytes())))
}

/// What is read of the metadata of an owner.
#[derive(Default)]
struct Metadata {
    name: Option<String>,
    namespace: Option<String>,
    uid: Option<String>,
    version: Option<String>,
    generation: Option<i64>,
    deleting: bool,
    claims: Vec<(String, Flat)>,
    /// A hash of everything but its version and its managed fields.
    hash: u64,
}

impl Metadata {
    fn owner(self, json: Packed, trigger: u64, status: u64) -> SeenOwner {
        let Self { name, namespace, uid, version, generation, deleting, claims, .. } = self;
        let owner = Owner {
            key: ObjectKey::new(namespace.as_deref().unwrap_or_default(), name.as_deref().unwrap_or_default()),
            uid: uid.as_deref().unwrap_or_default().into(),
            version: version.as_deref().and_then(|version| version.parse().ok()).unwrap_or_default(),
            generation,
            deleting,
            trigger,
            status,
            claims: Box::default(),
            json,
        };
        let meta = ObjectMeta { name, namespace, resource_version: version, ..ObjectMeta::default() };
        SeenOwner { meta, owner, claims }
    }
}

/// Reads the metadata of an owner, and copies it without its managed fields.
struct MetadataReader<'a>(&'a mut Vec<u8>);

impl<'de> DeserializeSeed<'de> for MetadataReader<'_> {
    type Value = Metadata;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Metadata, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MetadataReader<'_> {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the metadata of an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut read = Metadata::default();
        let mut copy = CopiedMap::begin(self.0);
        let mut all = 0_u64;
        while let Some(key) = map.next_key::<String>()? {
            if key == "managedFields" {
                read.claims = map.next_value::<Managed<'de>>()?.of_status();
                continue;
            }
            let (text, value) = copy_as_it_is(&mut map, copy.key(&key)?)?;
            match key.as_str() {
                "name" => read.name = serde_json::from_str(text).unwrap_or_default(),
                "namespace" => read.namespace = serde_json::from_str(text).unwrap_or_default(),
                "uid" => read.uid = serde_json::from_str(text).unwrap_or_default(),
                "resourceVersion" => read.version = serde_json::from_str(text).unwrap_or_default(),
                "generation" => read.generation = serde_json::from_str(text).unwrap_or_default(),
                "deletionTimestamp" => read.deleting = text != "null",
                _ => {}
            }
            if key != "resourceVersion" {
                all = all.wrapping_add(hash::entry(&key, value));
            }
        }
        copy.end();
        read.hash = hash::map(all);
        Ok(read)
    }
}

/// The managed fields of an owner. What of them can't be read says nothing, and is no trouble of the watch.
#[derive(Deserialize)]
struct Managed<'a>(#[serde(borrow, deserialize_with = "lenient::list")] Vec<Entry<'a>>);

impl Managed<'_> {
    /// What each manager claims of what it applies through the status.
    fn of_status(self) -> Vec<(String, Flat)> {
        let of_status = self.0.into_iter().filter(|entry| &*entry.subresource == "status" && entry.applies());
        // Not collected, which would keep the room of all entries.
        let mut claims = Vec::new();
        claims.extend(of_status.map(|entry| (entry.manager.into_string(), entry.fields.tree)));
        claims
    }
}

/// What of the status is claimed: its fields, and `conditions[Ready]` for single conditions.
fn status_claims(fields: &Flat) -> Vec<String> {
    let mut claims = Vec::new();
    let (mut section, mut field) = ("", "");
    for (depth, key) in fields.keys() {
        match depth {
            0 => section = key,
            1 => {
                field = key;
                if section == "f:status" && field != "f:conditions" {
                    claims.extend(field.strip_prefix("f:").map(str::to_owned));
                }
            }
            2 if section == "f:status" && field == "f:conditions" => claims.extend(condition_claim(key)),
            _ => {}
        }
    }
    claims.sort();
    claims
}

/// `conditions[Ready]` of `k:{"type":"Ready"}`.
fn condition_claim(key: &str) -> Option<String> {
    let key: Value = serde_json::from_str(key.strip_prefix("k:")?).ok()?;
    Some(format!("conditions[{}]", key["type"].as_str()?))
}

impl kube::Resource for SeenOwner {
    type DynamicType = KindId;
    type Scope = DynamicResourceScope;

    fn kind(kind: &KindId) -> Cow<'_, str> {
        kind.kind.into()
    }

    fn group(kind: &KindId) -> Cow<'_, str> {
        kind.group.into()
    }

    fn version(kind: &KindId) -> Cow<'_, str> {
        kind.version.into()
    }

    fn plural(kind: &KindId) -> Cow<'_, str> {
        kind.plural.into()
    }

    fn meta(&self) -> &ObjectMeta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.meta
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::core::{ObjectList, WatchEvent};
    use serde_json::json;

    fn widget() -> Value {
        json!({
            "apiVersion": "acme.example/v1", "kind": "Widget", "spec": {"size": 1},
            "metadata": {
                "name": "w1", "namespace": "team-a", "uid": "u", "resourceVersion": "7", "generation": 2,
                "managedFields": [
                    {"manager": "op/status", "operation": "Apply", "subresource": "status", "fieldsV1": {"f:status": {
                        "f:phase": {}, "f:conditions": {"k:{\"type\":\"Ready\"}": {".": {}, "f:status": {}}}}}},
                    {"manager": "other", "operation": "Update", "subresource": "status", "fieldsV1": {"f:status": {"f:x": {}}}},
                ],
            },
            "status": {"phase": "Up", "owned": [{"kind": "ConfigMap", "name": "c", "uid": "cu", "fingerprint": "0f"}]},
        })
    }

    fn owner(object: &Value) -> Owner {
        serde_json::from_str::<SeenOwner>(&object.to_string()).unwrap().kept("op/status")
    }

    fn with(path: &str, value: Value) -> Owner {
        let mut object = widget();
        *object.pointer_mut(path).unwrap() = value;
        owner(&object)
    }

    #[test]
    fn an_owner_is_kept_without_its_managed_fields() {
        let owner = owner(&widget());
        assert_eq!((owner.key.to_string(), owner.version, owner.generation), ("team-a/w1".into(), 7, Some(2)));
        assert_eq!(owner.claims(), ["conditions[Ready]", "phase"]);
        let mut object = widget();
        object["metadata"].as_object_mut().unwrap().remove("managedFields");
        assert_eq!(owner.typed::<Value>().unwrap(), object);
        assert_eq!((owner.status(), owner.status), (object["status"].take(), hash::value(&widget()["status"])));
        assert_eq!(owner.records().len(), 1);
        assert!(with("/status", json!({"owned": "broken"})).records().is_empty());
    }

    #[test]
    fn an_owner_is_read_from_a_list_an_event_and_an_answer() {
        let text = widget().to_string();
        let event = format!(r#"{{"type":"MODIFIED","object":{text}}}"#);
        let Ok(WatchEvent::Modified(seen)) = serde_json::from_str::<WatchEvent<SeenOwner>>(&event) else { panic!() };
        let list =
            format!(r#"{{"kind":"WidgetList","apiVersion":"acme.example/v1","metadata":{{}},"items":[{text}]}}"#);
        let listed = serde_json::from_str::<ObjectList<SeenOwner>>(&list).unwrap().items.remove(0);
        let answer = owner(&widget());
        for owner in [seen.kept("op/status"), listed.kept("op/status")] {
            assert_eq!((owner.json, owner.trigger, owner.status), (answer.json.clone(), answer.trigger, answer.status));
        }
    }

    #[test]
    fn an_odd_owner_is_no_trouble_of_the_watch() {
        let odd = [
            ("/metadata/managedFields", json!("text")),
            ("/metadata/managedFields", json!([7, null, {"manager": 7}, {"fieldsV1": "text"}])),
            ("/metadata/generation", json!("2")),
            ("/metadata/uid", json!(null)),
            ("/status", json!("text")),
            ("/spec", json!(null)),
        ];
        for (path, value) in odd {
            let owner = with(path, value.clone());
            assert_eq!(owner.key.to_string(), "team-a/w1", "{path} {value}");
        }
    }

    #[test]
    fn d_04_d_06_a_status_does_not_trigger_and_everything_else_does() {
        let first = owner(&widget());
        let status = with("/status/phase", json!("Down"));
        assert!(status.trigger == first.trigger && status.status != first.status);
        assert_eq!(with("/metadata/resourceVersion", json!("8")).trigger, first.trigger);
        assert_eq!(with("/metadata/managedFields", json!([])).trigger, first.trigger);
        let changes = [
            ("/spec/size", json!(2)),
            ("/metadata/generation", json!(3)),
            ("/metadata/uid", json!("v")),
            (
                "/metadata",
                json!({"name": "w1", "namespace": "team-a", "uid": "u", "generation": 2, "deletionTimestamp": "t"}),
            ),
            (
                "/metadata",
                json!({"name": "w1", "namespace": "team-a", "uid": "u", "generation": 2, "annotations": {"a": "b"}}),
            ),
        ];
        for (path, value) in changes {
            assert_ne!(with(path, value.clone()).trigger, first.trigger, "{path} {value}");
        }
    }
}
