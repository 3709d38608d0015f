use ui_tests::{Config, Greeter};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, name = "{onwer}", labels("who" = "{key}"))]
pub struct Objects {
    #[member(name = "{table}", namespace = "{names}")]
    config: Config,
}

fn main() {}
