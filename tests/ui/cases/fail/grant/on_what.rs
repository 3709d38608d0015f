use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use urutau_core::{OwnedResource, RbacRules};

#[derive(RbacRules)]
#[rule(Secret, verbs(get))]
pub struct Rules;

#[derive(OwnedResource)]
#[owned(ConfigMap, grants(Rules))]
pub struct NotARole {
    rules: Rules,
}

#[derive(OwnedResource)]
#[owned(Role)]
pub struct GrantsNothing;

#[derive(OwnedResource)]
#[owned(RoleBinding)]
pub struct BindsNothing;

#[derive(OwnedResource)]
#[owned(Secret, binds(Role = "{name}", ServiceAccount = "{name}"))]
pub struct NotABinding;

fn main() {}
