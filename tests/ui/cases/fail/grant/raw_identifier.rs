use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::rbac::v1::{AggregationRule, ClusterRole};
use urutau_core::{OwnedResource, RbacRules};

#[derive(RbacRules)]
#[rule(Pod, verbs(get))]
pub struct Rules;

#[derive(OwnedResource)]
#[owned(ClusterRole, grants(Rules))]
pub struct Everything {
    rules: Rules,
    #[at(r#aggregation_rule)]
    others: AggregationRule,
}

fn main() {}
