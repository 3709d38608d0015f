use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Pod;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

/// Only who holds a `*` may grant it, however much else he holds.
#[derive(RbacRules)]
#[rule(Pod, verbs("*"))]
#[rule("apps"/"*", verbs(get))]
#[rule("*"/"secrets", verbs(get))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Pod, verbs(get, list, watch, create, update, patch, delete, deletecollection), to_grant)]
#[rule(Deployment, StatefulSet, verbs(get), to_grant)]
#[rule(""/"*", verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
