//! A hash of what a process reads when it starts.

use k8s_openapi::ByteString;
use k8s_openapi::api::core::v1::Secret;
use ring::{digest, hmac};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Collects what a process reads when it starts, and hashes it for an annotation of its Pod: the Pod is replaced once
/// when any of it changes, and for nothing else.
///
/// Secrets go in as an HMAC keyed with their UID. A plain hash of a password could be guessed by anyone who may read
/// Pods, with no limit to the tries.
pub struct Boot(digest::Context);

impl Boot {
    /// Nothing yet.
    pub fn new() -> Self {
        Self(digest::Context::new(&digest::SHA256))
    }

    /// Adds files by their names.
    #[must_use]
    pub fn files(mut self, files: &BTreeMap<String, String>) -> Self {
        for (name, text) in files {
            self.add(name.as_bytes());
            self.add(text.as_bytes());
        }
        self
    }

    /// Adds what a Secret holds, with nothing else of it: a new label is no reason to start anew.
    #[must_use]
    pub fn secret(mut self, secret: &Secret) -> Self {
        let uid = secret.metadata.uid.as_deref().unwrap_or_default();
        let mut mac = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, uid.as_bytes()));
        for (key, ByteString(value)) in secret.data.iter().flatten() {
            for part in [key.as_bytes(), value] {
                mac.update(&part.len().to_be_bytes());
                mac.update(part);
            }
        }
        self.add(secret.metadata.name.as_deref().unwrap_or_default().as_bytes());
        self.add(mac.sign().as_ref());
        self
    }

    /// The hash, as 32 characters.
    pub fn hash(self) -> String {
        let mut text = String::new();
        for byte in &self.0.finish().as_ref()[..16] {
            // Writing to a String can't fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// Length first, so that what is one text can't be taken for two.
    fn add(&mut self, part: &[u8]) {
        self.0.update(&part.len().to_be_bytes());
        self.0.update(part);
    }
}

impl Default for Boot {
    fn default() -> Self {
        Self::new()
    }
}
