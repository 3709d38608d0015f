use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Pod;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Pod, verbs(get))]
#[rule(Deployment, verbs(get, create))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Pod, verbs(get), to_grant)]
#[rule(Deployment, verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
