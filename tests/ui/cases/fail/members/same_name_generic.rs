use ui_tests::{Config, Greeter};
use urutau_core::Member;
use urutau_core::OwnedSet;

/// Checked where it is embedded, as its parameter is not known here.
#[derive(OwnedSet)]
pub struct Both<M: Member> {
    config: Config,
    more: M,
}

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    both: Both<Config>,
}

fn main() {}
