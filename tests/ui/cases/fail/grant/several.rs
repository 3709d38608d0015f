use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{Pod, Secret};
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(RbacRules)]
#[rule(Pod/log, verbs(get))]
#[rule(Secret, verbs(get), names("{owner}-token"))]
#[rule("metrics.k8s.io"/"pods", verbs(get, list))]
#[rule("apps"/"deployments"/"scale", verbs(update))]
pub struct ServerRules {
    #[rule(Deployment, verbs(get, update))]
    workers: Vec<String>,
    #[rule(StatefulSet, verbs(create))]
    elastic: bool,
}

#[derive(RbacRules)]
#[rule(Pod, verbs("*"))]
pub struct AllOfPods;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    server: Identity<ServerRules>,
    #[member(name = "{owner}-pods")]
    pods: Option<Identity<AllOfPods>>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Others {
    pods: Identity<AllOfPods>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects, Others))]
#[rule(Secret, verbs(get), names("other"), to_grant)]
pub struct OperatorRules;

fn main() {}
