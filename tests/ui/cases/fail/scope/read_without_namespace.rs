use k8s_openapi::api::core::v1::{Namespace, Secret};
use ui_tests::{Config, Fleet};
use urutau_core::OwnedSet;

#[derive(OwnedSet)]
#[owned_set(owner = Fleet, reads(Namespace, Secret))]
pub struct Objects {
    #[member(name = "b", namespace = "fleets")]
    placed: Config,
}

fn main() {}
