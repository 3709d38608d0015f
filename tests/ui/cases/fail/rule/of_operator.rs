use k8s_openapi::api::core::v1::Secret;
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedSet, RbacRules};

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Config,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules {
    #[rule(Secret, verbs(get))]
    reads: bool,
}

fn main() {}
