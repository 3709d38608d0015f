use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::{ClusterRoleBinding, Role, RoleBinding};
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(RoleBinding, binds(ConfigMap = "{name}", ServiceAccount = "{name}"))]
pub struct NoRole;

#[derive(OwnedResource)]
#[owned(ClusterRoleBinding, binds(Role = "{name}", ServiceAccount = "{name}"))]
pub struct OfANamespace;

fn main() {}
