use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{Pod, Secret};
use urutau_core::RbacRules;

/// What is written for an election of a leader, over and over.
#[derive(RbacRules)]
#[rule(Lease, verbs(create, get, list, watch, update, patch, delete, deletecollection), names("greeter-lock"))]
pub struct Elects;

#[derive(RbacRules)]
#[rule(Lease, verbs(create, get, update), names("greeter-lock"))]
#[rule(Secret, Pod/eviction, verbs(create), names("{owner}"))]
#[rule(Secret, verbs(watch, deletecollection), names("{owner}"))]
pub struct Others;

/// How it is meant. Server-Side Apply creates by name, and what is created below an object has the name of that.
#[derive(RbacRules)]
#[rule(Lease, verbs(create))]
#[rule(Lease, verbs(get, update), names("greeter-lock"))]
#[rule(Secret, verbs(create, patch), names("{owner}"))]
#[rule(Secret, verbs(list, watch), names("{owner}"))]
#[rule(Pod/eviction, verbs(create), names("{owner}-0"))]
pub struct Split;

fn main() {}
