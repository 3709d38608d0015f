//! What the coordinator finds in its configuration folder.

use k8s_openapi::api::core::v1::ConfigMap;
use std::collections::BTreeMap;
use urutau_core::OwnedResource;

/// The pipeline document, and for each table the template of its workers' Pods.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct CoordinatorConfig {
    /// File names and what stands in them.
    #[at(data)]
    pub files: BTreeMap<String, String>,
}
