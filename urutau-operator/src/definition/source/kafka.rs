//! How Kafka is spoken to.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::shape::At;

/// How Kafka is spoken to.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Kafka {
    /// Encryption. Absent: none.
    pub tls: Option<Tls>,
    /// Who we are. Absent: nobody in particular.
    pub sasl: Option<Sasl>,
}

/// Encryption of the connections to Kafka.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tls {
    /// The file of the certificate authority. Empty: those of the system.
    pub ca: Option<String>,
    /// The file of the client certificate. Together with key.
    pub cert: Option<String>,
    /// The file of the client certificate's key. Together with cert.
    pub key: Option<String>,
    /// Whether to accept any certificate. For experiments only.
    #[serde(default)]
    pub insecure_skip_verify: bool,
}

/// Who we are to Kafka.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sasl {
    /// The mechanism: empty, plain, scram-sha-256 or scram-sha-512.
    pub mechanism: Option<SaslMechanism>,
    /// The name of the user.
    pub username: String,
    /// The user's password.
    pub password: String,
}

/// A SASL mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SaslMechanism {
    /// The password as it is.
    Plain,
    /// A salted challenge over SHA-256.
    #[serde(rename = "scram-sha-256")]
    ScramSha256,
    /// A salted challenge over SHA-512.
    #[serde(rename = "scram-sha-512")]
    ScramSha512,
}

impl Kafka {
    pub(super) fn check(&self, at: &mut At<'_>) {
        let Some(tls) = &self.tls else { return };
        let mut at = at.field("tls");
        if !at.are_sound(&["cert", "key"]) {
            return;
        }
        match (&tls.cert, &tls.key) {
            (Some(_), None) => at.refuse("key", "required together with cert", "add it, or remove cert"),
            (None, Some(_)) => at.refuse("cert", "required together with key", "add it, or remove key"),
            _ => {}
        }
    }
}
