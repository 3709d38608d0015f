use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    #[member(nam = "x", optional)]
    config: Config,
    #[member(name = x, optional_api = true)]
    other: Config,
    #[member(name = "a", name = "b")]
    twice: Config,
    #[member]
    bare: Config,
    #[owned_set(name = "x")]
    wrong: Config,
}

fn main() {}
