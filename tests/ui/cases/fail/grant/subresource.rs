use k8s_openapi::api::core::v1::Pod;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

/// A resource is none of its subresources, and one of these is not another.
#[derive(RbacRules)]
#[rule(Pod/log, verbs(get))]
#[rule(Pod/eviction, verbs(create), names("{owner}-0"))]
#[rule("apps"/"deployments"/"scale", verbs(get, patch))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Pod, verbs(get, create), to_grant)]
#[rule(Pod/exec, verbs(create), to_grant)]
#[rule("*"/"*"/"scale", verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
