use k8s_openapi::api::core::v1::ConfigMap;
use urutau_core::RbacRules;

pub struct NotASet;

#[derive(RbacRules)]
#[rbac(manages(NotASet, ConfigMap))]
pub struct OperatorRules;

#[derive(RbacRules)]
#[rbac(manage(NotASet), manages)]
pub struct Others;

fn main() {}
