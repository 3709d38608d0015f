use k8s_openapi::api::batch::v1::Job;
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedResource, OwnedSet, RbacRules};

/// What a worker may do.
#[derive(RbacRules)]
#[rule(Job, verbs(get))]
pub struct WorkerRules;

#[derive(OwnedResource)]
#[owned(Job)]
#[set(spec.template.spec.restart_policy = "Never")]
pub struct Extra;

/// Without rights on Jobs only the Job is to be off, and the identity is not.
#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<WorkerRules>,
    #[member(optional_api)]
    extra: Extra,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules;

/// Said by hand it is held in any case.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Job, verbs(get), to_grant)]
pub struct EnoughRules;

fn main() {}
