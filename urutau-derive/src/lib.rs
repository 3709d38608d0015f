//! The derives of `urutau-core`, which re-exports them; depend on that crate instead.
//!
//! Every derive has three stages, a folder each: `parse` reads attributes into structs that keep their spans,
//! `model` knows what they mean and checks the whole, `expand` writes a checked model out and can't fail.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(test)]
mod documented;
mod errors;
mod expand;
mod model;
mod near;
mod parse;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct the Kubernetes object it stands for.
///
/// # `#[owned(Kind, ...)]`
/// The kind, and how its objects are kept:
/// - `name = "{owner}-x"`: a name of its own; without it the object takes the name that its set hands down.
/// - `ready`, or `ready = path` to a `fn(&View) -> Readiness`: what comes `after` it waits until it is ready.
/// - `apply = always | once | recreate`: written whenever it differs, only created, or created anew where a change
///   is refused as immutable.
/// - `on_removal = delete | keep`: what happens when it is no longer declared.
/// - `conflict = force | yield`: what happens when another manager owns a field of ours.
/// - `takes_over("manager", ...)`: earlier field managers whose fields become ours.
/// - `grants(Rules)`: for a Role or `ClusterRole`, the rule set it hands out; a field of that type holds its values.
/// - `aggregates("key" = "value", ...)`: for a `ClusterRole`, the labels of the roles whose rules the cluster fills in.
/// - `binds(Role = "name", ServiceAccount = "name")`: for a binding, the role it refers to and its subject.
/// - `crate = path`: where `urutau_core` is found.
///
/// # `#[set(path = value, path { ... })]`
/// Constants. A path is field access on the kind's type; `[key]` opens an entry of a map, or of a list that
/// Kubernetes merges by key (`[name = "x"]` for a list of your own types that nobody else knows); a key may be
/// `self.field`. `path {}` is there, and empty. Strings may hold `{owner}`, `{namespace}`, `{name}` (of the object
/// itself), `{key}` (under which a map holds the member) and the struct's fields; `{{` is a brace.
///
/// # `#[at(path, ...)]`
/// On a field: where its value goes, once for each path. `None` is not ours and is left out.
///
/// # `#[part(path)]`
/// On a field whose type derives [`macro@Part`]: where that part goes.
#[proc_macro_derive(OwnedResource, attributes(owned, set, at, part))]
pub fn owned_resource(input: TokenStream) -> TokenStream {
    expand::owned_resource(&parse_macro_input!(input as DeriveInput)).into()
}

/// Makes a struct a part of a Kubernetes type, to be placed by `#[part(path)]` or rendered alone.
///
/// # `#[part(Type)]`
/// On the struct: the type it is a part of; `crate = path` says where `urutau_core` is found. On a field: where
/// another part goes.
///
/// # `#[set(path = value, path { ... })]`
/// Constants, as in [`macro@OwnedResource`].
///
/// # `#[at(path, ...)]`
/// On a field: where its value goes.
#[proc_macro_derive(Part, attributes(part, set, at))]
pub fn part(input: TokenStream) -> TokenStream {
    expand::part(&parse_macro_input!(input as DeriveInput)).into()
}

/// Makes a struct the set of everything that an owner owns, or a set within such a set.
///
/// # `#[owned_set(...)]`
/// - `owner = Kind`: the kind of the owner; a set without one is a member of other sets.
/// - `manager = "name"`: the field manager; the process may replace it.
/// - `name = "{owner}-x"`: the base name, taken by every member without one of its own.
/// - `labels("key" = "value", ...)`: labels on every object of the set.
/// - `reads(Kind, ...)`: kinds that `declare` may read.
/// - `crate = path`: where `urutau_core` is found.
///
/// # `#[member(...)]`
/// - `name = "..."`: replaces the base name for this member.
/// - `namespace = "..."`: where the member goes when the owner has no namespace.
/// - `after(member, ...)`: comes after these were applied and, where they are `ready`, are ready. What is left of those
///   that declare nothing any longer is gone before it is made.
/// - `optional_api`: an API that the server does not serve is a condition, not an error.
#[proc_macro_derive(OwnedSet, attributes(owned_set, member))]
pub fn owned_set(input: TokenStream) -> TokenStream {
    expand::owned_set(&parse_macro_input!(input as DeriveInput)).into()
}

/// Makes a struct a rule set: what a role grants, or what the operator holds.
///
/// # `#[rule(Resource, ..., verbs(...), ...)]`
/// `Kind`, `Kind/subresource`, `"group"/"resource"`, or `urls("/path")`; then `verbs(get, ...)`, and where wanted
/// `names("...")` and `to_grant` (held only so that it can be granted). On a `bool` field it is granted while that
/// is true, on a `Vec<String>` field on the names it holds.
///
/// A `*` in what an operator holds is refused, unless the rule is `to_grant` or says that it is meant: `wildcard`.
///
/// Clippy takes two rules with the same verbs for one attribute said twice: allow `clippy::duplicated_attributes`.
///
/// # `#[rbac(manages(Set, ...))]`
/// Adds what managing these sets takes, and proves that everything they grant is held. `crate = path` says where
/// `urutau_core` is found.
#[proc_macro_derive(RbacRules, attributes(rbac, rule))]
pub fn rbac_rules(input: TokenStream) -> TokenStream {
    expand::rbac_rules(&parse_macro_input!(input as DeriveInput)).into()
}

/// Writes the names of a custom resource as constants, from the `#[kube(...)]` that `CustomResource` reads.
///
/// # `#[kube(group, version, kind, plural, namespaced, root)]`
/// Read as kube reads them; everything else in it is kube's alone.
///
/// # `#[kind(crate = path)]`
/// Where `urutau_core` is found.
#[proc_macro_derive(Kind, attributes(kube, kind))]
pub fn kind(input: TokenStream) -> TokenStream {
    expand::kind(&parse_macro_input!(input as DeriveInput)).into()
}
