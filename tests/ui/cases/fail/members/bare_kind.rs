use k8s_openapi::api::core::v1::ConfigMap;
use ui_tests::Greeter;
use urutau_core::OwnedSet;

/// A kind itself is no member: what is owned of it has to be said.
#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: ConfigMap,
}

fn main() {}
