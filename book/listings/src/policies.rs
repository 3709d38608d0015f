//! How objects are kept, and when they count as ready.

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, PersistentVolumeClaim};
use k8s_openapi::api::networking::v1::Ingress;
use std::collections::BTreeMap;
use urutau_core::OwnedResource;
use urutau_core::ready::{Readiness, View};

// ANCHOR: keep
/// Uploads outlive the site: the claim is made once and never removed.
#[derive(OwnedResource)]
#[owned(PersistentVolumeClaim, name = "{owner}-uploads", apply = once, on_removal = keep)]
#[set(spec { access_modes = ["ReadWriteOnce"], resources.requests["storage"] = "{size}" })]
pub struct Uploads {
    /// Its size.
    pub size: String,
}
// ANCHOR_END: keep

// ANCHOR: recreate
/// Builds the search index. A Job can't be changed, so another image is another Job.
#[derive(OwnedResource)]
#[owned(Job, name = "{owner}-index", ready, apply = recreate)]
#[set(spec.template.spec { restart_policy = "Never", containers["index"].image = "{image}" })]
pub struct Index {
    /// Its image.
    pub image: String,
}
// ANCHOR_END: recreate

// ANCHOR: yield
/// Settings that an administrator may change, and that an earlier script wrote.
#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-settings", conflict = yield, takes_over("kubectl-client-side-apply", "setup.sh"))]
pub struct Settings {
    /// The settings.
    #[at(data)]
    pub settings: BTreeMap<String, String>,
}
// ANCHOR_END: yield

// ANCHOR: ready
/// The way in from outside.
#[derive(OwnedResource)]
#[owned(Ingress, ready = has_an_address)]
#[set(spec.default_backend.service { name = "{name}", port.name = "http" })]
pub struct Entrance;

/// Ready once a load balancer has given it an address.
fn has_an_address(entrance: &View) -> Readiness {
    if entrance.status.load_balancer.ingress.is_empty() {
        Readiness::NotReady("it has no address".to_owned())
    } else {
        Readiness::Ready
    }
}
// ANCHOR_END: ready

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn an_entrance_is_ready_when_it_has_an_address() {
        let readiness = |status: Value| has_an_address(&serde_json::from_value(json!({ "status": status })).unwrap());
        assert_eq!(readiness(json!({})), Readiness::NotReady("it has no address".to_owned()));
        assert_eq!(readiness(json!({ "loadBalancer": { "ingress": [{ "ip": "192.0.2.1" }] } })), Readiness::Ready);
    }
}
