use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedSet, RbacRules};

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs("*"))]
#[rule("*"/"*", verbs(get))]
#[rule(urls("*", "/*", "/metrics/*"), verbs(get))]
#[rule(Secret, verbs("*"), to_grant)]
#[rule("policy"/"*", verbs(get), wildcard)]
#[rule(Secret, verbs(get), wildcard)]
#[rule(Secret, verbs("*"), to_grant, wildcard)]
pub struct OperatorRules;

/// What a workload is granted is another matter.
#[derive(RbacRules)]
#[rule(ConfigMap, verbs("*"))]
#[rule(Secret, verbs("*"), wildcard)]
pub struct ServerRules;

fn main() {}
