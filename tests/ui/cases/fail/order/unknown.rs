use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    #[member(name = "a")]
    config: Config,
    #[member(name = "b", after(confg, second, config, config, "config"))]
    second: Config,
    #[member(name = "c", after)]
    third: Config,
}

fn main() {}
