use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::rbac::v1::{ClusterRole, RoleBinding};
use ui_tests::Greeter;
use urutau_core::{OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ServiceAccount)]
pub struct Account;

/// To a role that every cluster has.
#[derive(OwnedResource)]
#[owned(RoleBinding, binds(ClusterRole = "view", ServiceAccount = "{name}"))]
pub struct Viewer;

/// To one that is called after the owner.
#[derive(OwnedResource)]
#[owned(RoleBinding, name = "{name}-own", binds(ClusterRole = "{owner}-reader", ServiceAccount = "{name}"))]
pub struct Reader;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    account: Account,
    viewer: Viewer,
    reader: Reader,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ClusterRole, verbs(bind), names("edit"))]
pub struct OperatorRules;

fn main() {}
