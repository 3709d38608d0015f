//! A Postgres connection in parts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::shape::{At, Problem};

/// A Postgres connection in parts, instead of a uri.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Postgres {
    /// The server's name or address.
    pub host: Option<String>,
    /// The server's port. Default 5432.
    #[serde(default = "postgres_port")]
    #[schemars(range(min = 1))]
    pub port: u16,
    /// The database.
    pub database: Option<String>,
    /// The user to read as.
    pub username: Option<String>,
    /// The user's password.
    pub password: Option<String>,
    /// Further parameters of the connection.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    /// Encryption.
    pub ssl: Option<Ssl>,
    /// A host to tunnel through.
    pub ssh: Option<Ssh>,
    /// How many connections a snapshot may take at once, 1 to 32.
    #[schemars(range(min = 1, max = 32))]
    pub max_threads: Option<u32>,
    /// How often a failed query is tried again. Default 3.
    #[serde(default = "retries")]
    pub retry_count: u32,
    /// The schemas to look for tables in. Only of use with discover.
    #[serde(default)]
    pub schemas: Vec<String>,
    /// Whether to find the tables by looking for them, instead of a list.
    #[serde(default)]
    pub discover: bool,
    /// How changes are read.
    pub cdc: Option<Cdc>,
}

/// Encryption of the connections to Postgres.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ssl {
    /// How far the server is checked: disable (the default), require, verify-ca or verify-full.
    #[serde(default)]
    pub mode: SslMode,
    /// The file of the certificate authority.
    pub ca: Option<String>,
    /// The file of the client certificate.
    pub cert: Option<String>,
    /// The file of the client certificate's key.
    pub key: Option<String>,
}

/// How far the server is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SslMode {
    /// Not encrypted.
    #[default]
    Disable,
    /// Encrypted, not checked.
    Require,
    /// Its certificate is checked.
    VerifyCa,
    /// Its certificate and its name are checked.
    VerifyFull,
}

/// A host to tunnel through.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ssh {
    /// The host's name or address.
    pub host: Option<String>,
    /// The host's port. Default 22.
    #[serde(default = "ssh_port")]
    #[schemars(range(min = 1))]
    pub port: u16,
    /// The user to log in as.
    pub username: Option<String>,
    /// The user's password.
    pub password: Option<String>,
    /// The user's private key. Empty: taken from the Secret that secrets.ssh names.
    pub private_key: Option<String>,
    /// The private key's passphrase.
    pub passphrase: Option<String>,
    /// The host's public keys, as lines of a known_hosts file.
    pub known_hosts: Option<String>,
}

/// How changes are read.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Cdc {
    /// The server's output plugin: pgoutput (the default) or wal2json.
    #[serde(default)]
    pub plugin: Plugin,
    /// How many seconds to wait for the first change, at least 30. Default 300.
    #[serde(default = "initial_wait")]
    #[schemars(range(min = 30))]
    pub initial_wait_time: u32,
}

/// A logical decoding output plugin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Plugin {
    /// The one that comes with Postgres.
    #[default]
    Pgoutput,
    /// The wal2json extension.
    Wal2json,
}

fn postgres_port() -> u16 {
    5432
}

fn ssh_port() -> u16 {
    22
}

fn retries() -> u32 {
    3
}

fn initial_wait() -> u32 {
    300
}

impl Postgres {
    pub(super) fn check(&self, at: &mut At<'_>) {
        for (index, schema) in self.schemas.iter().enumerate() {
            if schema.is_empty() && at.is_sound("schemas") {
                at.refuse_entry("schemas", index, "is empty", "name a schema, or remove it");
            }
        }
    }

    pub(super) fn warnings(&self) -> Vec<Problem> {
        if self.schemas.is_empty() || self.discover {
            return Vec::new();
        }
        vec![Problem::new("schemas", "has no effect without discover", "set discover: true, or remove it")]
    }
}
