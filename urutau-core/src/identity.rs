//! An identity for a workload: an account, what it may do, and the binding of the two.

use crate::rbac::RuleSet;
use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use urutau_derive::{OwnedResource, OwnedSet};

/// A `ServiceAccount`, a Role that grants `R`, and the `RoleBinding` between them, all of one name: a set to be
/// nested in others.
#[derive(Clone, Debug, Default, OwnedSet)]
pub struct Identity<R: RuleSet> {
    account: Account,
    role: GrantedRole<R>,
    binding: Binding,
}

impl<R: RuleSet> Identity<R> {
    /// The identity that may do what `rules` grants.
    pub const fn new(rules: R) -> Self {
        Self { account: Account, role: GrantedRole { rules }, binding: Binding }
    }

    /// What it may do.
    pub const fn rules(&self) -> &R {
        &self.role.rules
    }
}

/// A `ServiceAccount` of the set's name.
#[derive(Clone, Copy, Debug, Default, OwnedResource)]
#[owned(ServiceAccount)]
pub struct Account;

/// A Role that grants a rule set.
#[derive(Clone, Debug, Default, OwnedResource)]
#[owned(Role, grants(R))]
pub struct GrantedRole<R: RuleSet> {
    /// What it grants.
    pub rules: R,
}

/// Binds the Role of the set's name to the `ServiceAccount` of the set's name. It is applied after the Role.
#[derive(Clone, Copy, Debug, Default, OwnedResource)]
#[owned(RoleBinding, binds(Role = "{name}", ServiceAccount = "{name}"))]
pub struct Binding;
