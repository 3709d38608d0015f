use k8s_openapi::api::rbac::v1::{AggregationRule, ClusterRole, PolicyRule, Role, RoleBinding, Subject};
use urutau_core::OwnedResource;

type Grants = Role;

#[derive(OwnedResource)]
#[owned(Grants)]
#[set(rules = [])]
pub struct Sneaky;

#[derive(OwnedResource)]
#[owned(ClusterRole)]
pub struct Wide {
    #[at(rules)]
    all: Vec<PolicyRule>,
    #[at(aggregation_rule)]
    more: AggregationRule,
}

#[derive(OwnedResource)]
#[owned(RoleBinding)]
#[set(role_ref { kind = "ClusterRole", name = "cluster-admin" })]
pub struct Admin {
    #[at(subjects)]
    who: Vec<Subject>,
}

fn main() {}
