//! Objects as structs.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{
    ConfigMap, Container, PodSpec, ResourceRequirements, Secret, SecretKeySelector, Service,
};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use urutau_core::{OwnedResource, Part, Write};

// ANCHOR: service
/// One name for all servers of a site.
#[derive(OwnedResource)]
#[owned(Service)]
#[set(spec {
    selector["site"] = "{owner}",
    ports[80] { name = "http", target_port = "http" },
})]
pub struct SiteService;
// ANCHOR_END: service

/// What the site shows.
#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Pages {
    /// File names and what stands in them.
    #[at(data)]
    pub files: BTreeMap<String, String>,
}

// ANCHOR: parts
/// A Pod that runs as nobody in particular, with a folder for temporary files.
#[derive(Part)]
#[part(PodSpec)]
#[set(
    security_context { run_as_non_root = true, run_as_user = 65532 },
    volumes["tmp"].empty_dir {},
)]
pub struct Hardened;

/// A container that is told the editors' password, if there is one.
#[derive(Part)]
#[part(Container)]
pub struct Editors {
    /// Where the password stands.
    #[at(env["EDITORS_PASSWORD"].value_from.secret_key_ref)]
    pub password: Option<SecretKeySelector>,
}
// ANCHOR_END: parts

// ANCHOR: server
/// Shows the pages.
#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec.template.spec {
    volumes["pages"].config_map.name = "{name}",
    containers["server"] {
        ports[8080].name = "http",
        volume_mounts["/srv"] { name = "pages", read_only = true },
        volume_mounts["/tmp"].name = "tmp",
    },
})]
pub struct SiteServer {
    /// The labels that tell its Pods: one value, two places.
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    pub pods: BTreeMap<String, String>,
    /// What every Pod of ours has in common.
    #[part(spec.template.spec)]
    pub pod: Hardened,
    /// What it is told of the editors.
    #[part(spec.template.spec.containers["server"])]
    pub editors: Editors,
    /// Its image.
    #[at(spec.template.spec.containers["server"].image)]
    pub image: String,
    /// `None` is not ours: an autoscaler may set it.
    #[at(spec.replicas)]
    pub replicas: Option<i32>,
    /// What a server asks for and may take.
    #[at(spec.template.spec.containers["server"].resources)]
    pub resources: Option<ResourceRequirements>,
}
// ANCHOR_END: server

/// Keeps one server running while nodes are drained.
#[derive(OwnedResource)]
#[owned(PodDisruptionBudget)]
#[set(spec { min_available = 1, selector.match_labels["site"] = "{owner}" })]
pub struct SiteBudget;

// ANCHOR: keys
/// A name server: one port number, two protocols.
#[derive(OwnedResource)]
#[owned(Service)]
#[set(
    metadata.annotations["example.com/contact"] = "{contact}",
    spec.ports[53, "UDP"].name = "dns",
    spec.ports[53, "TCP"].name = "dns-tcp",
    spec.ports[self.admin_port].name = "admin",
)]
pub struct NameServer {
    /// A field that a string names needs no path.
    pub contact: String,
    /// Nor does one that a key names.
    pub admin_port: u16,
}
// ANCHOR_END: keys

// ANCHOR: secret
/// What is given as text is sent as `data`.
#[derive(OwnedResource)]
#[owned(Secret)]
#[set(type_ = "Opaque")]
pub struct Token {
    /// The token.
    #[at(string_data["token"])]
    pub token: String,
}
// ANCHOR_END: secret

// ANCHOR: write
/// An amount of memory in mebibytes.
pub struct Mebibytes(pub u32);

impl Write<Quantity> for &Mebibytes {
    fn json(self) -> Result<Value, serde_json::Error> {
        Ok(json!(format!("{}Mi", self.0)))
    }
}

/// A container with a limit on its memory.
#[derive(Part)]
#[part(Container)]
pub struct Limited {
    /// What it may take.
    #[at(resources.limits["memory"])]
    pub memory: Mebibytes,
}
// ANCHOR_END: write

#[cfg(test)]
mod tests {
    use super::*;
    use urutau_core::{Names, render_part};

    #[test]
    fn an_own_type_is_written_as_it_says() {
        let names = Names::new("home", "team-a", "home");
        let part = render_part::<Container, _>(&Limited { memory: Mebibytes(64) }, &names).unwrap();
        assert_eq!(part, json!({ "resources": { "limits": { "memory": "64Mi" } } }));
    }
}
