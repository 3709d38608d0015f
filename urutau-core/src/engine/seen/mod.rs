//! A live object as it is watched: its metadata reduced while it is read, and where it counts the few fields that
//! readiness is read off. What is not here was never allocated.

mod claims;
mod fields;
mod text;

pub(super) use self::claims::{Claims, Flat};
pub(super) use self::text::Text;

use self::fields::{Fields, Texts};
use super::hash;
use super::key::Uid;
use crate::kind::KindId;
use crate::ready::lenient;
use crate::ready::{View, ViewMeta, ViewSpec, ViewStatus};
use jiff::Timestamp;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::DynamicResourceScope;
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

/// A live object, as far as it is looked at.
#[derive(Clone, Debug)]
pub(super) struct Seen<V> {
    meta: ObjectMeta,
    pub(super) facts: Facts,
    pub(super) view: V,
}

/// What the metadata of a live object says.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) uid: Uid,
    /// 0 when it is not a number.
    pub(super) version: u64,
    /// 0 for kinds that do not count their changes.
    pub(super) generation: i64,
    pub(super) deleting: bool,
    pub(super) controller: Option<OwnerRef>,
    pub(super) writers: Vec<Writer>,
}

/// An owner that an object names.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnerRef {
    #[serde(default)]
    pub(super) api_version: String,
    #[serde(default)]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) uid: String,
    #[serde(default)]
    pub(super) controller: Option<bool>,
}

/// An entry of `managedFields`.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    pub(super) manager: String,
    /// Whether it applies; otherwise it updates.
    pub(super) applies: bool,
    /// Whether it writes a subresource.
    pub(super) subresource: bool,
    /// The second of its last change; 0 when it is not known.
    pub(super) time: i64,
    /// A hash of what it claims, when it last changed that, and the values of the labels and annotations among it.
    pub(super) fields: u64,
    /// Whether it claims `spec.replicas`.
    pub(super) replicas: bool,
    /// What it claims.
    pub(super) claims: Flat,
}

/// Who claims `spec.replicas`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Replicas {
    /// We do.
    pub(super) ours: bool,
    /// We did, and keep the value until it is somebody's.
    pub(super) handed_over: bool,
    /// Somebody else does.
    pub(super) others: bool,
}

impl Replicas {
    /// Whether the value is kept though it is somebody's by now.
    pub(super) fn is_kept_in_vain(self) -> bool {
        self.handed_over && (self.ours || self.others)
    }
}

impl Facts {
    /// What `manager` claims by applying; 0 when it claims nothing, or nobody knows.
    pub(super) fn fields_of(&self, manager: &str) -> u64 {
        hash::sum(self.applied_by(manager).map(|writer| writer.fields))
    }

    /// The second of the last change by which `manager` applied something.
    pub(super) fn time_of(&self, manager: &str) -> i64 {
        self.applied_by(manager).map(|writer| writer.time).max().unwrap_or_default()
    }

    fn applied_by<'a>(&'a self, manager: &'a str) -> impl Iterator<Item = &'a Writer> {
        self.writers.iter().filter(move |writer| writer.applies && !writer.subresource && writer.manager == manager)
    }

    /// Who claims `spec.replicas`, seen by `manager`.
    pub(super) fn replicas(&self, manager: &str) -> Replicas {
        let mut claimed = Replicas::default();
        for writer in self.writers.iter().filter(|writer| writer.replicas) {
            match writer.role(manager) {
                Some("") => claimed.ours = true,
                Some(HANDOVER) => claimed.handed_over = true,
                _ => claimed.others = true,
            }
        }
        claimed
    }

    /// The writer of the last change, and its second.
    pub(super) fn last_writer(&self) -> Option<&Writer> {
        self.writers.iter().max_by_key(|writer| writer.time)
    }
}

impl Writer {
    /// What of `manager` it is: itself, or one of those whose names begin with its own; nothing if it is another.
    pub(super) fn role(&self, manager: &str) -> Option<&str> {
        let role = self.manager.strip_prefix(manager)?;
        let ours = self.applies && !self.subresource && (role.is_empty() || role.starts_with('/'));
        ours.then_some(role)
    }
}

/// What follows the name of the manager in that of the one that keeps `spec.replicas` for whoever comes.
pub(super) const HANDOVER: &str = "/handover";

/// What is read of an object besides its metadata.
pub(super) trait Extent: Clone + std::fmt::Debug + Send + Sync + Sized + 'static {
    const METADATA_ONLY: bool;

    /// Reads an object.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seen<Self>, D::Error>;
}

impl Extent for () {
    const METADATA_ONLY: bool = true;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seen<()>, D::Error> {
        #[derive(Deserialize)]
        struct Object<'a> {
            #[serde(borrow)]
            metadata: Metadata<'a>,
        }
        let object = Object::deserialize(deserializer)?;
        Ok(object.metadata.seen(()))
    }
}

impl Extent for View {
    const METADATA_ONLY: bool = false;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seen<View>, D::Error> {
        #[derive(Deserialize)]
        struct Object<'a> {
            #[serde(borrow)]
            metadata: Metadata<'a>,
            #[serde(default, deserialize_with = "lenient::object")]
            spec: ViewSpec,
            #[serde(default, deserialize_with = "lenient::object")]
            status: ViewStatus,
        }
        let Object { metadata, spec, status } = Object::deserialize(deserializer)?;
        let meta =
            ViewMeta { generation: metadata.generation, deletion_timestamp: metadata.deletion_timestamp.clone() };
        Ok(metadata.seen(View { metadata: meta, spec, status }))
    }
}

impl<'de, V: Extent> Deserialize<'de> for Seen<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        V::read(deserializer)
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    namespace: Text<'a>,
    #[serde(borrow)]
    uid: Text<'a>,
    resource_version: Option<String>,
    generation: Option<i64>,
    deletion_timestamp: Option<String>,
    owner_references: Option<Vec<OwnerRef>>,
    labels: Texts,
    annotations: Texts,
    #[serde(borrow, deserialize_with = "lenient::list")]
    managed_fields: Vec<Entry<'a>>,
}

/// An entry of `managedFields` as it is stored.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entry<'a> {
    #[serde(borrow)]
    pub(super) manager: Text<'a>,
    #[serde(borrow)]
    operation: Text<'a>,
    #[serde(borrow)]
    api_version: Text<'a>,
    #[serde(borrow)]
    time: Text<'a>,
    #[serde(borrow)]
    pub(super) subresource: Text<'a>,
    #[serde(rename = "fieldsV1")]
    pub(super) fields: Fields,
}

impl Metadata<'_> {
    fn seen<V>(self, view: V) -> Seen<V> {
        let version = self.resource_version.as_deref().and_then(|version| version.parse().ok()).unwrap_or_default();
        // Not collected: that would keep the room of the entries but for what is no whole writer, and once something that
        // stays has taken those few bytes, what is left is too small for the next list.
        let mut writers = Vec::with_capacity(self.managed_fields.len());
        writers.extend(self.managed_fields.into_iter().map(|entry| entry.writer(&self.labels, &self.annotations)));
        let facts = Facts {
            namespace: self.namespace.into_string(),
            name: self.name.into_string(),
            uid: (&*self.uid).into(),
            version,
            generation: self.generation.unwrap_or_default(),
            deleting: self.deletion_timestamp.is_some(),
            controller: self
                .owner_references
                .unwrap_or_default()
                .into_iter()
                .find(|owner| owner.controller == Some(true)),
            writers,
        };
        // All that the watcher looks at.
        let meta = ObjectMeta { resource_version: self.resource_version, ..ObjectMeta::default() };
        Seen { meta, facts, view }
    }
}

impl Entry<'_> {
    /// Whether it is of a manager that applies.
    pub(super) fn applies(&self) -> bool {
        &*self.operation == "Apply"
    }

    fn writer(self, labels: &Texts, annotations: &Texts) -> Writer {
        let applies = self.applies();
        let fields = self.fields;
        let values = hash::pair(labels.under(&fields.labels), annotations.under(&fields.annotations));
        let when = hash::pair(hash::bytes(self.api_version.as_bytes()), hash::bytes(self.time.as_bytes()));
        Writer {
            manager: self.manager.into_string(),
            applies,
            subresource: !self.subresource.is_empty(),
            time: self.time.parse::<Timestamp>().map(Timestamp::as_second).unwrap_or_default(),
            // Never 0, which is for a manager that is not there.
            fields: hash::pair(fields.hash, hash::pair(when, values)) | 1,
            replicas: fields.replicas,
            claims: fields.tree,
        }
    }
}

impl<V: Extent> kube::Resource for Seen<V> {
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

    fn metadata_api() -> bool {
        V::METADATA_ONLY
    }

    fn meta(&self) -> &ObjectMeta {
        &self.meta
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        &mut self.meta
    }
}

#[cfg(test)]
mod tests;
