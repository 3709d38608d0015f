use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedSet, RbacRules};

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, reads(Secret))]
pub struct Objects {
    config: Config,
}

/// Managing the set takes these rules already.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ConfigMap, Secret, verbs(get, list))]
#[rule(Greeter/status, verbs(patch))]
#[rule(ConfigMap, verbs(deletecollection))]
pub struct OperatorRules;

fn main() {}
