use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::rbac::v1::ClusterRole;
use urutau_core::{OwnedResource, RbacRules};

#[derive(RbacRules)]
#[rule(Pod, verbs(get))]
pub struct Rules;

#[derive(OwnedResource)]
#[owned(ClusterRole, grants(Rules), aggregates("example.com/to-viewers" = "true"))]
pub struct Both {
    rules: Rules,
}

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("example.com/to-viewers" = "true"), grants(Rules))]
pub struct BothAgain {
    rules: Rules,
}

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates())]
pub struct EveryRole;

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates)]
pub struct NoList;

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("example.com/to-viewers"))]
pub struct NoValue;

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("to viewers" = "true", "a" = "{nam}", "a" = "b"))]
pub struct Misspelt;

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregate("example.com/to-viewers" = "true"))]
pub struct NearlyKnown;

fn main() {}
