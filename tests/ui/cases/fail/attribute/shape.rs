use k8s_openapi::api::core::v1::{ConfigMap, PodSpec, Secret};
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedResource, OwnedSet, Part, RbacRules};

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub enum Settings {
    A,
}

#[derive(Part)]
#[part(PodSpec)]
pub enum Pods {
    A,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub enum Objects {
    A(Config),
}

#[derive(RbacRules)]
#[rule(Secret, verbs(get))]
pub union Rules {
    a: u8,
}

fn main() {}
