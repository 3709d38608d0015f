//! The pipeline document: what `spec.definition.inline` and `pipeline.yaml` say.
//!
//! The types are the only description of it. Serde reads them, the CRD's schema is made of them, and the walk that
//! reports unknown fields and wrong types is driven by that schema; so a field has one name, one type and one sentence.
//! What a schema can't say is a rule beside the type that it is about. One call of [`Document::parse`] reports
//! everything, and it is the same call for `render`, the webhook, the reconciler and the coordinator.

#![allow(clippy::doc_markdown, reason = "what is said of a field is its description in the schema too: plain text")]

mod crd;
mod credentials;
mod document;
mod sink;
mod source;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use crd::schema;
pub use document::{Document, Parsed};
pub use sink::{CommitMode, Compaction, Defaults, Maintenance, OrphanCleanup, Sink, SinkKind, SnapshotExpiry};
pub use source::{
    Cdc, Format, Kafka, OnDecodeError, OnTruncate, Plugin, Postgres, RegistryAuth, Sasl, SaslMechanism, Source,
    SourceKind, Ssh, Ssl, SslMode, Tls,
};
pub use table::{
    Bootstrap, BootstrapMode, BufferLimits, Enrich, EnrichSource, Filter, JoinType, Metadata, Mode, OnColdStart,
    OnDelete, Operator, Partition, Predicate, StartAt, Table, Transform, Workers, WriteMode,
};
