//! What a document needs Secrets for, and what had better be in one.

use super::{Document, Source, SourceKind};
use crate::shape::Problem;

impl Document {
    /// What nobody tells: where the source and the sink are, when neither the document nor a Secret says so.
    pub fn missing_credentials(&self, has_source_secret: bool, has_catalog_secret: bool) -> Vec<Problem> {
        let source = (!has_source_secret && !self.source.is_located()).then(|| {
            Problem::new(
                "source.uri",
                "there is neither a uri here nor a Secret that holds one",
                "name a Secret with a key uri in spec.secrets.source",
            )
        });
        let sink = (!has_catalog_secret && self.sink.uri.is_none()).then(|| {
            Problem::new(
                "sink.uri",
                "there is neither a uri here nor a Secret that holds one",
                "name a Secret with a key uri in spec.secrets.catalog",
            )
        });
        source.into_iter().chain(sink).collect()
    }

    /// Warnings about secrets in the document, which stand in a `ConfigMap` for everyone who may read those.
    pub fn inline_secrets(&self) -> Vec<Problem> {
        let mut found: Vec<(String, &str)> = Vec::new();
        let mut uri = |path: &str, uri: &Option<String>, secret| {
            if uri.as_deref().is_some_and(has_password) {
                found.push((path.to_owned(), secret));
            }
        };
        uri("source.uri", &self.source.uri, "spec.secrets.source");
        uri("source.snapshotUri", &self.source.snapshot_uri, "spec.secrets.source");
        uri("sink.uri", &self.sink.uri, "spec.secrets.catalog");
        for (index, table) in self.tables.iter().enumerate() {
            for (entry, enrich) in table.enrich.iter().enumerate() {
                if let Some(source) = &enrich.source {
                    uri(&format!("tables[{index}].enrich[{entry}].source.uri"), &source.uri, "");
                }
            }
        }
        let mut text = |path: &str, is_given: bool, secret| {
            if is_given {
                found.push((path.to_owned(), secret));
            }
        };
        text("sink.clientSecret", self.sink.client_secret.is_some(), "spec.secrets.catalog");
        if let Some(sasl) = self.source.kafka.as_ref().and_then(|kafka| kafka.sasl.as_ref()) {
            text("source.kafka.sasl.password", !sasl.password.is_empty(), "");
        }
        if let Some(postgres) = &self.source.postgres {
            text("source.postgres.password", postgres.password.is_some(), "spec.secrets.source");
            if let Some(ssh) = &postgres.ssh {
                text("source.postgres.ssh.password", ssh.password.is_some(), "spec.secrets.ssh");
                text("source.postgres.ssh.privateKey", ssh.private_key.is_some(), "spec.secrets.ssh");
                text("source.postgres.ssh.passphrase", ssh.passphrase.is_some(), "spec.secrets.ssh");
            }
        }
        found.into_iter().map(|(path, secret)| warning(path, secret)).collect()
    }
}

impl Source {
    /// Whether the document itself says where the source is.
    fn is_located(&self) -> bool {
        self.uri.is_some()
            || (self.kind == SourceKind::Kafka && self.bootstrap_servers.is_some())
            || self.postgres.as_ref().is_some_and(|postgres| postgres.host.is_some())
    }
}

fn warning(path: String, secret: &str) -> Problem {
    let fix = if secret.is_empty() {
        "give that user no more rights than reading needs".to_owned()
    } else {
        format!("put it in a Secret and name that in {secret}")
    };
    Problem::new(path, "holds a secret, which whoever may read ConfigMaps here can read", fix)
}

/// Whether a URI has a password: `scheme://user:password@host`.
fn has_password(uri: &str) -> bool {
    let after_scheme = uri.split_once("://").map_or(uri, |(_, rest)| rest);
    let authority = after_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let user_info = authority.rsplit_once('@').map(|(user_info, _)| user_info);
    user_info.and_then(|info| info.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
}
