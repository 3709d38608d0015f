use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::rbac::v1::Role;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(delete))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

/// Whoever may escalate may write the role, and has not bound it yet.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Role, verbs(escalate))]
pub struct OperatorRules;

fn main() {}
