use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::rbac::v1::Role;
use urutau_core::{OwnedResource, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(get))]
pub struct Rules;

#[derive(OwnedResource)]
#[owned(Role, grants(Rules))]
pub struct Granted;

fn main() {}
