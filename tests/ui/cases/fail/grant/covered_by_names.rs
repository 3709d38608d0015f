use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

/// A rule with names covers these names alone, and a name that only an owner decides is covered by a rule without.
#[derive(RbacRules)]
#[rule(Secret, verbs(get), names("a", "b"))]
#[rule(Secret, verbs(update), names("{owner}-a"))]
#[rule(ConfigMap, verbs(get))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
    #[member(name = "twice")]
    again: Identity<ServerRules>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs(get), names("a"), to_grant)]
#[rule(Secret, verbs(update), names("shop-a"), to_grant)]
#[rule(ConfigMap, verbs(get), names("x"), to_grant)]
pub struct OperatorRules;

fn main() {}
