use k8s_openapi::api::core::v1::Namespace;
use ui_tests::{Config, Greeter};
use urutau_core::{OwnedResource, OwnedSet};

#[derive(OwnedResource)]
#[owned(Namespace)]
pub struct Space;

#[derive(OwnedSet)]
pub struct Inner {
    space: Space,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Config,
    space: Option<Space>,
    #[member(name = "{owner}-2")]
    inner: Inner,
}

fn main() {}
