use std::collections::HashMap;
use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    config: Config,
    name: String,
    listed: HashMap<String, Config>,
    failed: Result<Config, String>,
}

fn main() {}
