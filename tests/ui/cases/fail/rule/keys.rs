use k8s_openapi::api::core::v1::Secret;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secret, verbs(get), name("x"), to_grants, everything)]
#[rule(Secret, verbs(get), to_grant = true)]
#[rule(Secret, verbs(get), verbs(list), to_grant, to_grant)]
pub struct Rules;

fn main() {}
