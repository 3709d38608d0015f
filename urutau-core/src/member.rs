//! Members of a set, and what may stand around them.

use crate::kind::{Kind, KindId};
use crate::node::Node;
use crate::plan::{Plan, Scope};
use crate::problem::Invalid;
use crate::waiting::Waiting;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// Something that a set can own: an object, a set, or a container of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something a set can own",
    label = "not a member",
    note = "members are structs that derive `OwnedResource` or `OwnedSet`, and `Option`, `Vec`, `BTreeMap<String, _>` or `Result<_, Waiting>` of them"
)]
pub trait Member {
    /// What it declares.
    const NODE: &'static Node;
    /// Adds what this value declares to the plan.
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan);
}

impl<M: Member> Member for Option<M> {
    const NODE: &'static Node = &Node::Maybe(M::NODE);
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan) {
        if let Some(member) = self {
            member.visit(at, plan);
        }
    }
}

impl<M: Member> Member for Vec<M> {
    const NODE: &'static Node = &Node::Many(M::NODE);
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan) {
        for (i, member) in self.iter().enumerate() {
            at.element(i, |at| member.visit(at, plan));
        }
    }
}

impl<M: Member> Member for BTreeMap<String, M> {
    const NODE: &'static Node = &Node::Many(M::NODE);
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan) {
        for (key, member) in self {
            at.entry(key, |at| member.visit(at, plan));
        }
    }
}

impl<M: Member> Member for Result<M, Waiting> {
    const NODE: &'static Node = &Node::Waits(M::NODE);
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan) {
        match self {
            Ok(member) => member.visit(at, plan),
            Err(waiting) => plan.wait(M::NODE, at, waiting),
        }
    }
}

impl<M: Member> Member for Box<M> {
    const NODE: &'static Node = M::NODE;
    fn visit(&self, at: &Scope<'_>, plan: &mut Plan) {
        (**self).visit(at, plan);
    }
}

/// A kind that can own a set: a custom resource that derives [`Kind`] beside kube's `CustomResource`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't own a set",
    label = "not an owner",
    note = "an owner is a custom resource: `#[derive(CustomResource, Kind, Clone, Debug, Deserialize, JsonSchema, Serialize)]`"
)]
pub trait Owner:
    Kind + kube::Resource<DynamicType = ()> + Clone + std::fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

#[diagnostic::do_not_recommend]
impl<K> Owner for K where
    K: Kind
        + kube::Resource<DynamicType = ()>
        + Clone
        + std::fmt::Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}

/// The kind that owns `S`.
pub const fn owner_of<S: OwnedSet>() -> KindId {
    KindId::of::<S::Owner>()
}

/// Everything that an owner of kind [`OwnedSet::Owner`] owns. Derived with `#[owned_set(owner = Kind)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set with an owner",
    label = "no owner",
    note = "say whose it is: `#[derive(OwnedSet)] #[owned_set(owner = Kind)]`"
)]
pub trait OwnedSet: Member {
    /// The kind of the owner.
    type Owner: Owner;

    /// The field manager that the set asks for; the process may replace it.
    const MANAGER: &'static str;

    /// The objects that are to be there for the owner of this name.
    ///
    /// # Errors
    /// Everything about the declared values that can't be: names that are too long or meet, places that are
    /// written twice.
    fn plan(&self, owner: &str, namespace: &str) -> Result<Plan, Invalid> {
        let mut plan = Plan::default();
        self.visit(&Scope::of_owner(owner, namespace, Self::NODE), &mut plan);
        plan.checked()
    }
}
