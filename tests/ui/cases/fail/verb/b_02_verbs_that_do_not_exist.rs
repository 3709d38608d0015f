use k8s_openapi::api::core::v1::Secret;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secret, verbs(put, post, apply, Get, read, write, lst))]
#[rule(Secret, verbs("get", "*", get, get))]
#[rule(Secret, verb(get))]
#[rule(Secret, verbs = get)]
#[rule(Secret, get, verbs(get))]
pub struct Rules;

fn main() {}
