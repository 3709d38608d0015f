use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::{OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config;

#[derive(OwnedSet)]
pub struct Objects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules<const N: usize>;

fn main() {}
