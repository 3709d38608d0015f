//! What is sent of an object: what is declared, whose it is, and which object it is about. Nothing of it is copied.

use super::super::owner::Owner;
use crate::kind::KindId;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

/// What is sent of an object.
#[derive(Debug)]
pub(in super::super) struct Sent<'a> {
    pub(in super::super) body: &'a Value,
    /// The list of our owner reference: it is a map by uid, in which others keep their entries.
    pub(in super::super) owner: &'a Value,
    /// The uid of the object that it is about.
    pub(in super::super) uid: Option<String>,
    /// Its version, where that has to be a certain one.
    pub(in super::super) version: Option<String>,
}

/// The list of owner references that says that an object is this owner's.
pub(super) fn owner_references(kind: &KindId, owner: &Owner) -> Value {
    json!([{
        "apiVersion": kind.api_version(), "kind": kind.kind, "name": owner.key.name(), "uid": owner.uid.to_string(),
        "controller": true, "blockOwnerDeletion": true,
    }])
}

impl Sent<'_> {
    /// All of it, to be looked at.
    pub(super) fn whole(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = serializer.serialize_map(None)?;
        for (key, value) in self.body.as_object().into_iter().flatten() {
            if let ("metadata", Value::Object(metadata)) = (key.as_str(), value) {
                body.serialize_entry(key, &Metadata { metadata, sent: self })?;
            } else {
                body.serialize_entry(key, value)?;
            }
        }
        body.end()
    }
}

struct Metadata<'a> {
    metadata: &'a Map<String, Value>,
    sent: &'a Sent<'a>,
}

impl Serialize for Metadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sent { owner, uid, version, .. } = self.sent;
        let mut metadata = serializer.serialize_map(None)?;
        for (key, value) in self.metadata {
            if !matches!(key.as_str(), "ownerReferences" | "uid" | "resourceVersion") {
                metadata.serialize_entry(key, value)?;
            }
        }
        metadata.serialize_entry("ownerReferences", owner)?;
        for (key, value) in [("uid", uid), ("resourceVersion", version)] {
            if let Some(value) = value {
                metadata.serialize_entry(key, value)?;
            }
        }
        metadata.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_is_sent_with_whose_it_is_and_which_it_is() {
        let body = json!({"kind": "ConfigMap", "metadata": {"name": "c", "labels": {"a": "b"}}, "data": {"k": "v"}});
        let owner = json!([{"uid": "u"}]);
        let sent = Sent { body: &body, owner: &owner, uid: Some("x".to_owned()), version: None };
        let metadata = json!({"name": "c", "labels": {"a": "b"}, "ownerReferences": [{"uid": "u"}], "uid": "x"});
        assert_eq!(sent.whole(), json!({"kind": "ConfigMap", "metadata": metadata, "data": {"k": "v"}}));
        let sent = Sent { uid: None, version: Some("1".to_owned()), ..sent };
        assert_eq!(sent.whole()["metadata"]["resourceVersion"], "1");
        assert!(sent.whole()["metadata"].get("uid").is_none());
    }
}
