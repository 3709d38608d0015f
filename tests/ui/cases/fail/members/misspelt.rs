use k8s_openapi::api::rbac::v1::Role;
use urutau_core::{OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedSet)]
#[owned_set(owner = Greter, reads(Secrt))]
pub struct Objects {
    config: Confg,
}

#[derive(RbacRules)]
#[rbac(manages(Objcts))]
pub struct OperatorRules;

#[derive(OwnedResource)]
#[owned(Role, grants(Rles))]
pub struct Granted {
    rules: Rles,
}

fn main() {}
