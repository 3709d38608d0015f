use ui_tests::{Config, Greeter};
use urutau_core::{Declare, Inputs, Invalid, OwnedSet};

/// Nobody owns it.
#[derive(OwnedSet)]
pub struct Objects {
    config: Config,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Greeter, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Err(Invalid::default())
    }
}

fn main() {}
