//! Permissions.

use crate::set::SiteObjects;
use crate::site::Site;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::ClusterRole;
use urutau_core::{Identity, Member, OwnedResource, OwnedSet, RbacRules, RuleSet};

// ANCHOR: rules
/// What the publisher of a site may do with its own token.
#[derive(RbacRules)]
#[rule(Site, verbs(get), names("{owner}"))]
#[rule(Site/status, verbs(patch), names("{owner}"))]
pub struct PublisherRules {
    /// The `ConfigMap`s that it may change, by name; none, no rule.
    #[rule(ConfigMap, verbs(get, update))]
    pub pages: Vec<String>,
    /// Whether it may restart the servers.
    #[rule(Deployment, verbs(patch), names("{owner}-web"))]
    pub restarts: bool,
}
// ANCHOR_END: rules

// ANCHOR: resources
/// Every form that a rule can have.
#[derive(RbacRules)]
#[rule(ConfigMap, Lease, verbs(get, list, watch))]
#[rule(Deployment/scale, verbs(update))]
#[rule("metrics.k8s.io"/"pods", verbs(get))]
#[rule("apps"/"deployments"/"rollback", verbs(create))]
#[rule(urls("/metrics", "/healthz/*"), verbs(get))]
pub struct Forms;
// ANCHOR_END: resources

// ANCHOR: names
/// What the replicas of a publisher need to agree on one of them.
#[derive(RbacRules)]
#[rule(Lease, verbs(create))]
#[rule(Lease, verbs(get, update), names("{owner}-publisher"))]
#[rule(Lease, verbs(list, watch), names("{owner}-publisher"))] // with fieldSelector=metadata.name=...
pub struct Elects;
// ANCHOR_END: names

// ANCHOR: identity
/// Something that can be owned, and the identity that may change it.
#[derive(OwnedSet)]
pub struct Editable<M: Member, R: RuleSet> {
    /// What is owned.
    pub content: M,
    /// Who may change it.
    pub editor: Identity<R>,
}
// ANCHOR_END: identity

// ANCHOR: aggregated
/// What viewers of sites may do: whatever the roles with this label grant.
#[derive(OwnedResource)]
#[owned(ClusterRole, name = "site-viewers", aggregates("example.com/to-site-viewers" = "true"))]
pub struct SiteViewers;
// ANCHOR_END: aggregated

// ANCHOR: operator
/// What the operator holds.
#[derive(RbacRules)]
#[rbac(manages(SiteObjects))]
#[rule(Site, verbs(get), to_grant)]
#[rule(ConfigMap, verbs(update), to_grant)]
pub struct OperatorRules;
// ANCHOR_END: operator

#[cfg(test)]
mod tests {
    use super::*;
    use urutau_core::Names;

    #[test]
    fn no_names_and_no_consent_grant_nothing() {
        let rules = |pages: &[&str], restarts| {
            let pages = pages.iter().map(|&page| page.to_owned()).collect();
            PublisherRules { pages, restarts }.policy_rules(&Names::new("home", "team-a", "home-publisher"))
        };
        assert_eq!(rules(&[], false).len(), 2);
        assert_eq!(rules(&["home-web"], true).len(), 4);
        assert!(rules(&["home-web"], true).iter().all(|rule| rule.resource_names.is_some()));
    }

    #[test]
    fn every_form_is_rendered() {
        let rules = Forms::RULES.policy_rules();
        let resources: Vec<_> = rules.iter().flat_map(|rule| rule.resources.iter().flatten()).collect();
        let urls = rules.iter().flat_map(|rule| rule.non_resource_urls.iter().flatten());
        assert_eq!((resources.len(), urls.count()), (5, 2), "{rules:#?}");
    }
}
