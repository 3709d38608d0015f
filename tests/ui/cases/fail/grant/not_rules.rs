use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::Role;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedResource, OwnedSet};

#[derive(OwnedResource)]
#[owned(Role, grants(String))]
pub struct Granted {
    rules: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ConfigMap>,
}

fn main() {}
