use k8s_openapi::api::rbac::v1::{PolicyRule, Role};
use std::marker::PhantomData;
use urutau_core::OwnedResource;

/// A parameter is no way around the proof.
#[derive(OwnedResource)]
#[owned(Role)]
pub struct Sneaky<T> {
    #[at(rules)]
    rules: Vec<PolicyRule>,
    marker: PhantomData<T>,
}

fn main() {}
