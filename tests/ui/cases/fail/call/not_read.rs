use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use std::collections::BTreeMap;
use ui_tests::{Config, Greeter};
use urutau_core::{Declare, Inputs, Invalid, OwnedSet, Waiting};

#[derive(OwnedSet)]
#[owned_set(owner = Greeter, reads(Secret))]
pub struct Objects {
    config: Result<Config, Waiting>,
}

impl Declare for Objects {
    type Settings = ();
    fn declare(owner: &Greeter, inputs: &Inputs<Self>) -> Result<Self, Invalid> {
        let _ = inputs.get::<Secret>(&owner.spec.greeting);
        let words = inputs.get::<ConfigMap>("words").map(|_| Config { data: BTreeMap::new() });
        Ok(Self { config: words })
    }
}

fn main() {}
