use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, name = "{owner}-x")]
pub struct Objects {
    config: Config,
    again: Config,
    #[member(name = "{owner}-x")]
    third: Option<Config>,
    #[member(name = "{owner}-y")]
    other: Config,
}

fn main() {}
