use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(RoleBinding, binds(Role))]
pub struct NoName;

#[derive(OwnedResource)]
#[owned(RoleBinding, binds(Role = "{name}", User = "admin"))]
pub struct ToAUser;

#[derive(OwnedResource)]
#[owned(RoleBinding, binds(Role = "{name}", ServiceAccount = "{nam}"))]
pub struct Misspelt;

#[derive(OwnedResource)]
#[owned(RoleBinding, binds)]
pub struct Nothing;

fn main() {}
