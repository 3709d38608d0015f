use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use ui_tests::Fleet;
use urutau_core::{OwnedResource, OwnedSet, RbacRules};

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("example.com/to-viewers" = "true"))]
pub struct Viewers;

#[derive(OwnedResource)]
#[owned(ClusterRole, name = "all-viewers", aggregates("example.com/to-viewers" = "true"))]
pub struct AllViewers;

#[derive(OwnedResource)]
#[owned(ClusterRoleBinding, binds(ClusterRole = "{name}", ServiceAccount = "{name}"))]
pub struct ViewersBinding;

#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct Objects {
    viewers: Viewers,
    all: AllViewers,
}

/// Every verb but that one.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ClusterRole, verbs(get, create, update, patch, delete, bind))]
pub struct NotThat;

/// The verb on one name is not that on another.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ClusterRole, verbs(escalate), names("all-viewers"))]
pub struct OneName;

#[derive(OwnedSet)]
#[owned_set(owner = Fleet)]
pub struct Bound {
    viewers: Viewers,
    #[member(namespace = "default")]
    binding: ViewersBinding,
}

/// Whoever may write it may not bind it: nobody knows what it grants.
#[derive(RbacRules)]
#[rbac(manages(Bound))]
#[rule(ClusterRole, verbs(escalate))]
pub struct NotBind;

fn main() {}
