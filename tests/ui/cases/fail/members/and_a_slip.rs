use ui_tests::{Config, Greeter};
use urutau_core::{Declare, Inputs, Invalid, OwnedSet};

/// A slip in an attribute does not hide what is no member, and nothing follows from the missing owner.
#[derive(OwnedSet)]
#[owned_set(ownr = Greeter)]
pub struct Objects {
    config: Config,
    name: String,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Greeter, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Err(Invalid::default())
    }
}

fn main() {}
