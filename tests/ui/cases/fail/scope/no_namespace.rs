use ui_tests::{Config, Fleet};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct Objects {
    config: Config,
    #[member(name = "b", namespace = "fleets")]
    placed: Config,
}

fn main() {}
