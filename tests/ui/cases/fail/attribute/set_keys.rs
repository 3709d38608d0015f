use k8s_openapi::api::core::v1::Secret;
use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(ownr = Greeter, mangers = "x", read(Secret), label("a" = "b"))]
pub struct Misspelt {
    config: Config,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, owner = Greeter, manager = "", reads, name = "a" "b")]
#[owned_set(manager = "x")]
pub struct Twice {
    config: Config,
}

#[derive(OwnedSet)]
#[owned_set(manager = "x", reads(Secret))]
pub struct NoOwner {
    config: Config,
}

fn main() {}
