//! Sets.

use crate::objects::{Pages, SiteBudget, SiteServer, SiteService};
use crate::rules::{Editable, PublisherRules};
use crate::site::Site;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use std::collections::BTreeMap;
use urutau_core::{OwnedResource, OwnedSet, Waiting};

// ANCHOR: translation
/// The greeting in one language: an object for each.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{name}-{language}")]
pub struct Greeting {
    /// The language.
    #[at(data["language"])]
    pub language: String,
    /// The greeting.
    #[at(data["greeting"])]
    pub greeting: String,
}

/// Where visitors of a folder are sent on to.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{name}-moved-{key}")]
pub struct Moved {
    /// The new place.
    #[at(data["to"])]
    pub to: String,
}
// ANCHOR_END: translation

// ANCHOR: set
/// Everything that a `Site` owns.
#[derive(OwnedSet)]
#[owned_set(owner = Site, manager = "site-operator", name = "{owner}-web", reads(Secret))]
#[owned_set(labels("app.kubernetes.io/name" = "site", "app.kubernetes.io/instance" = "{owner}"))]
pub struct SiteObjects {
    /// Always there.
    pub service: SiteService,
    /// There while the site is protected.
    pub budget: Option<SiteBudget>,
    /// One for each language.
    pub greetings: Vec<Greeting>,
    /// A set in the set.
    pub publishing: Publishing,
    /// May have to wait, and comes after what it mounts.
    #[member(after(greetings, publishing))]
    pub server: Result<SiteServer, Waiting>,
}

/// The pages, and who may change them.
#[derive(OwnedSet)]
#[owned_set(labels("app.kubernetes.io/component" = "publishing"))]
pub struct Publishing {
    /// Named as the outer set says.
    pub pages: Editable<Pages, PublisherRules>,
    /// One for each key of the map.
    pub moved: BTreeMap<String, Moved>,
}
// ANCHOR_END: set
