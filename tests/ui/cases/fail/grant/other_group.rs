use k8s_openapi::api::core::v1::{Event, Pod};
use ui_tests::Greeter;
use urutau_core::{Identity, OwnedSet, RbacRules};

/// The same word in another group is another resource.
#[derive(RbacRules)]
#[rule("metrics.k8s.io"/"pods", verbs(get))]
#[rule(Event, verbs(create, patch))]
pub struct ServerRules;

#[derive(OwnedSet)]
#[owned_set(owner = Greeter)]
pub struct Objects {
    identity: Identity<ServerRules>,
}

/// Managing the set gives `create` on events, which are those of `events.k8s.io`.
#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(Pod, verbs(get), to_grant)]
pub struct OperatorRules;

fn main() {}
