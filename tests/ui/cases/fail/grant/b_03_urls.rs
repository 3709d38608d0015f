use k8s_openapi::api::rbac::v1::ClusterRole;
use ui_tests::Fleet;
use urutau_core::{OwnedResource, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(urls("/metrics", "/metrics/*", "/healthz"), verbs(get))]
pub struct ScrapeRules;

#[derive(OwnedResource)]
#[owned(ClusterRole, grants(ScrapeRules))]
pub struct Scraper {
    rules: ScrapeRules,
}

#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct Objects {
    scraper: Scraper,
}

/// Every resource there is, and one path.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule("*"/"*", verbs(get, list, create, update, patch, delete), to_grant)]
#[rule(urls("/healthz*"), verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
