//! The owner of the book's examples.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

// ANCHOR: site
use kube::CustomResource;
use urutau_core::{Kind, Status};

/// A small web site.
#[derive(CustomResource, Kind, Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
#[kube(group = "web.example", version = "v1", kind = "Site", namespaced, status = "SiteStatus")]
#[serde(rename_all = "camelCase")]
pub struct SiteSpec {
    /// The image of the web server.
    pub image: String,
    /// How many servers there are; absent, whoever scales them says so.
    pub replicas: Option<i32>,
    /// File names and what stands in them.
    #[serde(default)]
    pub pages: BTreeMap<String, String>,
    /// Greetings by language.
    #[serde(default)]
    pub greetings: BTreeMap<String, String>,
    /// Where visitors of a folder are sent on to.
    #[serde(default)]
    pub moved: BTreeMap<String, String>,
    /// A Secret with the password of the editors.
    pub password: Option<String>,
    /// Whether nodes have to leave one server alone.
    #[serde(default)]
    pub protected: bool,
    /// Whether to leave everything as it is.
    #[serde(default)]
    pub suspend: bool,
}

/// How a site is.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, Default)]
pub struct SiteStatus {
    /// How many pages it has.
    pub pages: Option<i32>,
    /// What the engine writes.
    #[serde(flatten)]
    pub common: Status,
}
// ANCHOR_END: site
