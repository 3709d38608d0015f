//! An owner as it is watched and kept: as text, read into its type when it is worked on. One that can't be read is
//! the problem of its own pass, and not of the watch.

use super::hash;
use super::key::{ObjectKey, Uid};
use crate::kind::KindId;
use crate::status::OwnedRecord;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::DynamicResourceScope;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// An owner as an event or an answer has it.
#[derive(Clone, Debug)]
pub(super) struct SeenOwner {
    meta: ObjectMeta,
    pub(super) owner: Owner,
    /// What each manager claims in the status by applying.
    claims: Vec<(String, Vec<String>)>,
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
    /// What we claim in the status: its fields, and `conditions[Ready]` for single conditions.
    pub(super) claims: Box<[String]>,
    /// The object without its managed fields.
    pub(super) json: Box<str>,
}

impl SeenOwner {
    /// The owner, as far as `manager` is concerned with its status.
    pub(super) fn kept(mut self, manager: &str) -> Owner {
        let claims = self.claims.into_iter().find(|(claims, _)| claims == manager);
        self.owner.claims = claims.map(|(_, claims)| claims.into_boxed_slice()).unwrap_or_default();
        self.owner
    }
}

impl Owner {
    /// The whole object.
    pub(super) fn object(&self) -> Value {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// The objects that its status says it owns. Nothing else of it is read: this is asked for before every creation.
    pub(super) fn records(&self) -> Vec<OwnedRecord> {
        #[derive(Deserialize)]
        struct Object {
            status: Recorded,
        }
        #[derive(Deserialize)]
        struct Recorded {
            owned: Vec<OwnedRecord>,
        }
        serde_json::from_str::<Object>(&self.json).map(|object| object.status.owned).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for SeenOwner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut object = Map::<String, Value>::deserialize(deserializer)?;
        let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
            return Err(D::Error::missing_field("metadata"));
        };
        let managed = metadata.remove("managedFields").unwrap_or_default();
        let text = |key: &str| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        let (name, namespace) = (text("name"), text("namespace"));
        let (uid, version) = (text("uid"), metadata.remove("resourceVersion"));
        let version = version.as_ref().and_then(Value::as_str).map(str::to_owned);
        let generation = metadata.get("generation").and_then(Value::as_i64);
        let deleting = metadata.get("deletionTimestamp").is_some_and(|time| !time.is_null());
        let status = object.remove("status");
        let trigger =
            hash::sum(object.iter().map(|(key, value)| hash::pair(hash::bytes(key.as_bytes()), hash::value(value))));
        let status_hash = status_hash(status.as_ref());
        if let (Some(version), Some(Value::Object(metadata))) = (&version, object.get_mut("metadata")) {
            metadata.insert("resourceVersion".to_owned(), Value::String(version.clone()));
        }
        if let Some(status) = status {
            object.insert("status".to_owned(), status);
        }
        let json = serde_json::to_string(&object).map_err(D::Error::custom)?;
        let owner = Owner {
            key: ObjectKey::new(namespace.as_deref().unwrap_or_default(), name.as_deref().unwrap_or_default()),
            uid: uid.as_deref().unwrap_or_default().into(),
            version: version.as_deref().and_then(|version| version.parse().ok()).unwrap_or_default(),
            generation,
            deleting,
            trigger,
            status: status_hash,
            claims: Box::default(),
            json: json.into(),
        };
        let meta = ObjectMeta { name, namespace, resource_version: version, ..ObjectMeta::default() };
        Ok(Self { meta, owner, claims: status_claims(&managed) })
    }
}

/// The hash by which a status is compared.
pub(super) fn status_hash(status: Option<&Value>) -> u64 {
    hash::value(status.unwrap_or(&Value::Null))
}

/// What each manager claims in the status by applying.
fn status_claims(managed: &Value) -> Vec<(String, Vec<String>)> {
    let entries = managed.as_array().map(Vec::as_slice).unwrap_or_default();
    let of_status = entries.iter().filter(|entry| entry["subresource"] == "status" && entry["operation"] == "Apply");
    of_status
        .filter_map(|entry| {
            let fields = entry.pointer("/fieldsV1/f:status")?.as_object()?;
            let mut claims = Vec::new();
            for (field, below) in fields {
                let Some(field) = field.strip_prefix("f:") else { continue };
                match (field, below.as_object()) {
                    ("conditions", Some(entries)) => {
                        claims.extend(entries.keys().filter_map(|key| condition_claim(key)));
                    }
                    _ => claims.push(field.to_owned()),
                }
            }
            claims.sort();
            Some((entry["manager"].as_str()?.to_owned(), claims))
        })
        .collect()
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
        assert_eq!(owner.claims.to_vec(), ["conditions[Ready]", "phase"]);
        assert_eq!(owner.object()["metadata"]["resourceVersion"], "7");
        assert!(owner.object()["metadata"].get("managedFields").is_none());
        assert_eq!(owner.records().len(), 1);
        assert!(with("/status", json!({"owned": "broken"})).records().is_empty());
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
