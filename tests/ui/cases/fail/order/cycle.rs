use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    #[member(name = "a", after(third))]
    first: Config,
    #[member(name = "b", after(first))]
    second: Config,
    #[member(name = "c", after(second))]
    third: Config,
    #[member(name = "d", after(third))]
    behind: Config,
}

fn main() {}
