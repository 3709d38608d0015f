use k8s_openapi::api::core::v1::Pod;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Pod / *, verbs(get))]
#[rule("apps"/"deployments"/"*", verbs(get))]
#[rule("apps", verbs(get))]
#[rule("apps"/deployments, verbs(get))]
#[rule(Pod/, verbs(get))]
#[rule(pods/log, verbs(get))]
pub struct Rules;

fn main() {}
