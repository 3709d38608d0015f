use k8s_openapi::api::core::v1::Secret;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(get, update), names("tls", "token", "password"))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs(get, update), names("tls", "token"), to_grant)]
pub struct OperatorRules;

fn main() {}
