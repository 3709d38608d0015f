use k8s_openapi::api::core::v1::{Node, Pod};
use ui_tests::Greeter;
use urutau_core::RbacRules;

#[derive(RbacRules)]
#[rule(""/"pod"/"log", verbs(get))]
#[rule("apps"/"Deployment", verbs(get))]
#[rule("networking.k8s.io"/"networkpolicy", verbs(get))]
#[rule(Pod/lgo, verbs(get))]
#[rule(""/"pods"/"logs", verbs(get))]
#[rule(Greeter/staus, verbs(get))]
pub struct Rules;

/// These are there, or may be.
#[derive(RbacRules)]
#[rule("*"/"*"/"scale", verbs(patch))]
#[rule(Pod/log, Pod/eviction, Node/metrics, Greeter/finalizers, verbs(get))]
#[rule(""/"pods"/"teleport", "example.com"/"pod"/"logs", verbs(get))]
pub struct Right;

fn main() {}
