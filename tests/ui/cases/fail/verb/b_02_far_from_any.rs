use k8s_openapi::api::core::v1::Secret;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secret, verbs(frobnicate))]
pub struct Rules;

fn main() {}
