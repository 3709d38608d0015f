use ui_tests::Greeter;
use urutau_core::{OwnedResource, OwnedSet};

#[derive(OwnedResource)]
#[set(data["a"] = "b")]
pub struct Settings;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    settings: Settings,
}

fn main() {}
