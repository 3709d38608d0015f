use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects(Config, Config);

fn main() {}
