use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, labels(
    "-part" = "x",
    "a b" = "x",
    "example.com/" = "x",
    "example.com/team" = "x",
    "example.com/team" = "y",
    part = "x",
    "tier",
))]
pub struct Objects {
    config: Config,
}

fn main() {}
