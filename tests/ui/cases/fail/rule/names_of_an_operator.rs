use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedSet, RbacRules};

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Option<Config>,
}

/// Nobody knows an owner where this is written.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs(get), names("{owner}"))]
#[rule(Pod, verbs(get), names("web", "x-{namespace}"))]
pub struct OperatorRules;

/// An empty name is every request without one.
#[derive(RbacRules)]
#[rule(ConfigMap, verbs(get), names(""))]
pub struct WorkerRules;

fn main() {}
