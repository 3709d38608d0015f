//! The Secrets that a pipeline names, read as far as its Pods depend on them.

use crate::api::CDCPipelineSpec;
use crate::objects::PipelineObjects;
use k8s_openapi::api::core::v1::Secret;
use std::collections::BTreeMap;
use std::sync::Arc;
use urutau_core::{Inputs, Waiting};

/// The Secrets that are there, and the first thing that is not.
pub(super) struct UsedSecrets {
    found: BTreeMap<String, Arc<Secret>>,
    coordinator: Vec<String>,
    worker: Vec<String>,
    pub(super) missing: Option<Missing>,
}

/// What is missing, in the words of a condition: every Secret and key at once.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    pub(super) reason: String,
    pub(super) message: String,
}

impl UsedSecrets {
    pub(super) fn read(spec: &CDCPipelineSpec, inputs: &Inputs<PipelineObjects>) -> Self {
        let mut used = Self { found: BTreeMap::new(), coordinator: Vec::new(), worker: Vec::new(), missing: None };
        for (name, keys, worker, coordinator) in names(spec) {
            match inputs.get::<Secret>(name) {
                Ok(secret) => {
                    used.keys(name, keys, &secret);
                    used.found.insert(name.to_owned(), secret);
                }
                Err(Waiting { reason, message, .. }) => used.miss(reason, message),
            }
            if worker {
                used.worker.push(name.to_owned());
            }
            if coordinator {
                used.coordinator.push(name.to_owned());
            }
        }
        used
    }

    /// What the coordinator reads when it starts.
    pub(super) fn of_coordinator(&self) -> impl Iterator<Item = &Secret> {
        self.coordinator.iter().filter_map(|name| self.found.get(name)).map(AsRef::as_ref)
    }

    /// What a worker reads when it starts.
    pub(super) fn of_worker(&self) -> impl Iterator<Item = &Secret> {
        self.worker.iter().filter_map(|name| self.found.get(name)).map(AsRef::as_ref)
    }

    fn keys(&mut self, name: &str, keys: &[&str], secret: &Secret) {
        for key in keys {
            if secret.data.as_ref().is_none_or(|data| !data.contains_key(*key)) {
                let place =
                    secret.metadata.namespace.as_deref().map_or_else(|| name.to_owned(), |ns| format!("{ns}/{name}"));
                self.miss("SecretKeyMissing".to_owned(), format!("Secret `{place}` has no key `{key}`"));
            }
        }
    }

    fn miss(&mut self, reason: String, message: String) {
        match &mut self.missing {
            Some(missing) => {
                missing.message.push_str("; ");
                missing.message.push_str(&message);
            }
            None => self.missing = Some(Missing { reason, message }),
        }
    }
}

const TLS: &[&str] = &["tls.crt", "tls.key", "ca.crt"];

/// The Secrets that a pipeline names, with the keys that have to be in them.
pub fn secrets_of(spec: &CDCPipelineSpec) -> BTreeMap<String, Vec<&'static str>> {
    let mut secrets: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for (name, keys, ..) in names(spec) {
        secrets.entry(name.to_owned()).or_default().extend(keys);
    }
    secrets
}

/// Each Secret, the keys that have to be in it, and whether workers and the coordinator read it.
fn names(spec: &CDCPipelineSpec) -> Vec<(&str, &'static [&'static str], bool, bool)> {
    let secrets = &spec.secrets;
    let tls = spec.coordinator.tls.as_ref();
    let all = [
        (secrets.source.as_deref(), &["uri"][..], true, true),
        (secrets.catalog.as_deref(), &["uri"][..], true, true),
        (secrets.ssh.as_deref(), &["privateKey"][..], false, true),
        (tls.map(|tls| tls.server_secret.as_str()), TLS, false, true),
        (tls.map(|tls| tls.client_secret.as_str()), TLS, true, false),
    ];
    all.into_iter().filter_map(|(name, keys, worker, coordinator)| Some((name?, keys, worker, coordinator))).collect()
}
