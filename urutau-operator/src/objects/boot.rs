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

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    /// <https://github.com/redpanda-data/redpanda/issues/4016>: another way of hashing in a new release replaces every Pod
    /// when the operator is upgraded. If this fails, that is what users will see.
    #[test]
    fn k_09_the_hash_is_the_same_in_every_release() {
        let files = BTreeMap::from([("pipeline.yaml".to_owned(), "a: 1\n".to_owned())]);
        let metadata =
            ObjectMeta { name: Some("creds".to_owned()), uid: Some("u".to_owned()), ..ObjectMeta::default() };
        let data = BTreeMap::from([("uri".to_owned(), ByteString(b"mysql://a".to_vec()))]);
        let secret = Secret { metadata, data: Some(data), ..Secret::default() };
        assert_eq!(Boot::new().files(&files).hash(), "13da101f3c3db5de4db40c41fb80f473");
        assert_eq!(Boot::new().files(&files).secret(&secret).hash(), "401a01c7b1b717ed75caff6006e6bda2");
        let mut labelled = secret.clone();
        labelled.metadata.labels = Some(BTreeMap::from([("l".to_owned(), "1".to_owned())]));
        labelled.metadata.resource_version = Some("2".to_owned());
        assert_eq!(Boot::new().secret(&labelled).hash(), Boot::new().secret(&secret).hash());
        let mut another = secret.clone();
        another.metadata.uid = Some("v".to_owned());
        assert_ne!(Boot::new().secret(&another).hash(), Boot::new().secret(&secret).hash(), "it can't be guessed");
    }
}
