use k8s_openapi::api::core::v1::{Pod, Secret};
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Secret)]
#[rule(verbs(get))]
#[rule(Pod, verbs())]
#[rule()]
#[rule]
pub struct Rules;

#[derive(RbacRules)]
pub struct Nothing;

fn main() {}
