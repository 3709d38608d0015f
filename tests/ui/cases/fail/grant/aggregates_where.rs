use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::{AggregationRule, ClusterRole, ClusterRoleBinding, Role};
use urutau_core::OwnedResource;

#[derive(OwnedResource)]
#[owned(ConfigMap, aggregates("example.com/to-viewers" = "true"))]
pub struct NotARole;

#[derive(OwnedResource)]
#[owned(Role, aggregates("example.com/to-viewers" = "true"))]
pub struct InANamespace;

#[derive(OwnedResource)]
#[owned(ClusterRoleBinding, aggregates("example.com/to-viewers" = "true"))]
pub struct ABinding;

#[derive(OwnedResource)]
#[owned(ClusterRole)]
pub struct ByHand {
    #[at(aggregation_rule)]
    rule: AggregationRule,
}

#[derive(OwnedResource)]
#[owned(ClusterRole, aggregates("example.com/to-viewers" = "true"))]
#[set(rules = [])]
pub struct RulesByHand;

fn main() {}
