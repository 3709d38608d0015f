use k8s_openapi::api::core::v1::Pod;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(Pod / *, verbs(get))]
#[rule("apps"/"deployments"/"*", verbs(get))]
#[rule("*"/"*"/"*", verbs(get))]
#[rule(""/"pods/*", ""/"*/*", verbs(get))]
#[rule(""/"pods/log", "*"/"*/scale", verbs(get))]
#[rule("apps", verbs(get))]
#[rule("apps"/deployments, verbs(get))]
#[rule(Pod/, verbs(get))]
#[rule(pods/log, verbs(get))]
pub struct Rules;

#[derive(RbacRules)]
#[rule("core"/"pods", "v1"/"pods", verbs(get))]
#[rule("apps/v1"/"deployments", verbs(get))]
#[rule("app"/"deployments", "rbac"/"roles", verbs(get))]
pub struct Groups;

fn main() {}
