use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
pub struct Inner {
    config: Config,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Config,
    inner: Inner,
}

fn main() {}
