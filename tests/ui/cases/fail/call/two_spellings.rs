use k8s_openapi::api::core::v1::{self, Pod, Secret};
use ui_tests::Greeter;
use urutau_core::{OwnedSet, RbacRules};

/// A kind has one name here.
#[derive(RbacRules)]
#[rule(Pod, verbs(get))]
#[rule(v1::Pod, verbs(get), names("a"))]
pub struct WorkerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, reads(Secret, v1::Secret))]
pub struct Objects {
    config: Option<ui_tests::Config>,
}

fn main() {}
