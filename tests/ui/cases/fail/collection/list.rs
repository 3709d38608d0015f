use std::collections::BTreeMap;
use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    configs: Vec<Config>,
    #[member(name = "{owner}-more")]
    more: BTreeMap<String, Config>,
}

fn main() {}
