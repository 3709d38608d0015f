use k8s_openapi::api::core::v1::Secret;
use ui_tests::Greeter;
use urutau_core::RuleSet;
use urutau_core::{Identity, OwnedSet, RbacRules};

#[derive(OwnedSet)]
pub struct Account<R: RuleSet> {
    identity: Option<Identity<R>>,
}

#[derive(OwnedSet)]
pub struct Pair<A: RuleSet, B: RuleSet> {
    first: Account<A>,
    #[member(name = "{name}-second")]
    second: Account<B>,
}

#[derive(RbacRules)]
#[rule(Secret, verbs(get))]
pub struct Reads;

#[derive(RbacRules)]
#[rule(Secret, verbs(delete))]
pub struct Deletes;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    pair: Pair<Reads, Deletes>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Secret, verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
