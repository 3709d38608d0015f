use ui_tests::{Config, Greeter};
use urutau_core::{OwnedSet, Waiting};

#[derive(OwnedSet)]
#[owned_set(name = "{name}-inner")]
pub struct Inner {
    config: Option<Config>,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    inner: Result<Vec<Inner>, Waiting>,
}

fn main() {}
