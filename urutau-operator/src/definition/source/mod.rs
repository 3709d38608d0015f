//! Where the changes come from.

mod kafka;
mod postgres;

use schemars::JsonSchema;
use serde::Deserialize;

pub use kafka::{Kafka, Sasl, SaslMechanism, Tls};
pub use postgres::{Cdc, Plugin, Postgres, Ssh, Ssl, SslMode};

use crate::shape::{At, Problem};
use crate::text::ServerId;

/// Where the changes come from.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Source {
    /// The kind of the source: mysql, postgres or kafka.
    pub kind: SourceKind,
    /// Where it is, and as whom to read it. Empty: taken from the Secret that secrets.source names.
    pub uri: Option<String>,
    /// A read-only replica that the workers take snapshots from. Empty: the uri itself.
    pub snapshot_uri: Option<String>,
    /// MySQL's server_id for this pipeline, a number from 1 to 4294967295 in quotes. No other reader of the same server
    /// may have it. Required for mysql.
    pub server_id: Option<ServerId>,
    /// The logical replication slot. Required for postgres.
    pub slot_name: Option<String>,
    /// How the first snapshot is taken. For kafka only none.
    pub snapshot_mode: Option<String>,
    /// Kafka brokers as host:port, separated by commas.
    pub bootstrap_servers: Option<String>,
    /// The consumer group that reads the topics.
    pub group_id: Option<String>,
    /// How often a lost connection is tried again in a row. Default 3.
    #[serde(default)]
    pub max_reconnect_attempts: u32,
    /// The author's word that every topic is partitioned by the primary key. Required to upsert from kafka.
    #[serde(default)]
    pub partitioned_by_primary_key: bool,
    /// How messages are encoded: debezium (the default), raw or avro. Other than debezium only for kafka.
    #[serde(default)]
    pub format: Format,
    /// The address of the schema registry. Required for avro.
    pub schema_registry: Option<String>,
    /// How the schema registry is spoken to.
    pub schema_registry_auth: Option<RegistryAuth>,
    /// What to do with a message that can't be decoded: fail or skip. Only for kafka.
    pub on_decode_error: Option<OnDecodeError>,
    /// What to do when a table is truncated: ignore (the default) or fail. Only for mysql and postgres.
    pub on_truncate: Option<OnTruncate>,
    /// How Kafka is spoken to.
    pub kafka: Option<Kafka>,
    /// A Postgres connection in parts, instead of a uri. Only for postgres.
    pub postgres: Option<Postgres>,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SourceKind {
    /// A MySQL server, read through its binary log.
    Mysql,
    /// A Postgres server, read through a replication slot.
    Postgres,
    /// Topics of a Kafka cluster.
    Kafka,
}

/// How messages are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Change events as Debezium writes them.
    #[default]
    Debezium,
    /// Each message as it is.
    Raw,
    /// Avro, with its schemas in a registry.
    Avro,
}

/// What to do with a message that can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnDecodeError {
    /// Stop.
    Fail,
    /// Go on with the next.
    Skip,
}

/// What to do when a table is truncated at the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnTruncate {
    /// Go on.
    Ignore,
    /// Stop.
    Fail,
}

/// How the schema registry is spoken to.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RegistryAuth {
    /// The file of the certificate authority.
    pub ca: Option<String>,
    /// The file of the client certificate.
    pub cert: Option<String>,
    /// The file of the client certificate's key.
    pub key: Option<String>,
}

impl Source {
    /// How often a lost connection is tried again in a row.
    pub fn reconnect_attempts(&self) -> u32 {
        if self.max_reconnect_attempts == 0 { 3 } else { self.max_reconnect_attempts }
    }

    /// Where snapshots are taken from: the replica, else the source.
    pub fn snapshot_uri(&self) -> Option<&str> {
        self.snapshot_uri.as_deref().or(self.uri.as_deref())
    }

    pub(super) fn check(&self, at: &mut At<'_>) {
        if let Some(kind) = at.sound("kind", self.kind) {
            self.check_kind(kind, at);
            self.check_format(kind, at);
        }
        if self.format == Format::Avro && self.schema_registry.is_none() {
            at.refuse("schemaRegistry", "required for format avro", "name the address of the schema registry");
        }
        if let Some(kafka) = &self.kafka {
            kafka.check(&mut at.field("kafka"));
        }
        if let Some(postgres) = &self.postgres {
            if self.uri.is_some() {
                at.refuse("postgres", "not together with uri", "keep one of the two");
            }
            postgres.check(&mut at.field("postgres"));
        }
    }

    fn check_kind(&self, kind: SourceKind, at: &mut At<'_>) {
        if kind == SourceKind::Mysql && self.server_id.is_none() {
            at.refuse(
                "serverId",
                "required for mysql",
                r#"give each reader of a server a number of its own, in quotes, such as "1101""#,
            );
        }
        if kind == SourceKind::Postgres && self.slot_name.is_none() {
            at.refuse("slotName", "required for postgres", "name the logical replication slot");
        }
        if kind == SourceKind::Kafka && self.snapshot_mode.as_deref().is_some_and(|mode| mode != "none") {
            at.refuse("snapshotMode", "a topic has no snapshot", "write none, or remove it");
        }
        if kind != SourceKind::Postgres && self.postgres.is_some() {
            at.refuse("postgres", "only for kind postgres", "remove it, or correct source.kind");
        }
        if kind == SourceKind::Kafka && self.on_truncate.is_some() {
            at.refuse("onTruncate", "only for kind mysql and postgres", "remove it");
        }
        if kind != SourceKind::Kafka && self.on_decode_error.is_some() {
            at.refuse("onDecodeError", "only for kind kafka", "remove it");
        }
    }

    fn check_format(&self, kind: SourceKind, at: &mut At<'_>) {
        let format = match self.format {
            Format::Debezium => return,
            Format::Raw => "raw",
            Format::Avro => "avro",
        };
        if kind != SourceKind::Kafka {
            at.refuse("format", format!("{format} is only for kind kafka"), "remove it, or write debezium");
        }
    }

    pub(super) fn warnings(&self) -> Vec<Problem> {
        let postgres = self.postgres.as_ref().map(Postgres::warnings).unwrap_or_default();
        postgres.into_iter().map(|warning| warning.under("source.postgres")).collect()
    }
}
