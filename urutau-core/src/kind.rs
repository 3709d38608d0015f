//! What a Kubernetes kind is called, known at compile time.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use std::fmt;

/// A Kubernetes kind, with its names as constants.
///
/// Every kind of `k8s-openapi` has it. For a custom resource, derive it beside `CustomResource`:
/// `#[derive(CustomResource, Kind)]` reads the same `#[kube(...)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a Kubernetes kind known at compile time",
    label = "not a kind",
    note = "for a custom resource, add `Kind` to the derives beside `CustomResource`"
)]
pub trait Kind {
    /// The API group; empty for the core group.
    const GROUP: &'static str;
    /// The version within the group, as `v1`.
    const VERSION: &'static str;
    /// The kind, in upper camel case.
    const KIND: &'static str;
    /// The plural that stands in URLs and in RBAC rules.
    const PLURAL: &'static str;
    /// Whether objects of this kind live in a namespace.
    const NAMESPACED: bool;
}

/// The scope of a `k8s-openapi` kind as a constant.
pub trait Scoped {
    /// Whether objects live in a namespace.
    const NAMESPACED: bool;
}

impl Scoped for NamespaceResourceScope {
    const NAMESPACED: bool = true;
}

impl Scoped for ClusterResourceScope {
    const NAMESPACED: bool = false;
}

#[diagnostic::do_not_recommend]
impl<K> Kind for K
where
    K: k8s_openapi::Resource + k8s_openapi::Metadata<Ty = ObjectMeta>,
    K::Scope: Scoped,
{
    const GROUP: &'static str = K::GROUP;
    const VERSION: &'static str = K::VERSION;
    const KIND: &'static str = K::KIND;
    const PLURAL: &'static str = K::URL_PATH_SEGMENT;
    const NAMESPACED: bool = <K::Scope as Scoped>::NAMESPACED;
}

/// The constants of a [`Kind`] as one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId {
    /// The API group; empty for the core group.
    pub group: &'static str,
    /// The version within the group.
    pub version: &'static str,
    /// The kind.
    pub kind: &'static str,
    /// The plural that stands in URLs and rules.
    pub plural: &'static str,
    /// Whether objects of it live in a namespace.
    pub namespaced: bool,
}

impl KindId {
    /// The names of `K`.
    pub const fn of<K: Kind>() -> Self {
        Self { group: K::GROUP, version: K::VERSION, kind: K::KIND, plural: K::PLURAL, namespaced: K::NAMESPACED }
    }

    /// The value of `apiVersion`: `v1`, `apps/v1`.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.to_owned() } else { format!("{}/{}", self.group, self.version) }
    }

    /// What kube's dynamic types want to know of a kind.
    pub fn api_resource(&self) -> kube::core::ApiResource {
        kube::core::ApiResource {
            group: self.group.to_owned(),
            version: self.version.to_owned(),
            api_version: self.api_version(),
            kind: self.kind.to_owned(),
            plural: self.plural.to_owned(),
        }
    }

    /// Whether both name the same kind of the same group; versions are views of one object.
    pub const fn is(&self, other: &Self) -> bool {
        crate::name::same_text(self.group, other.group) && crate::name::same_text(self.kind, other.kind)
    }
}

/// `StatefulSet.apps`, or `Service` in the core group.
impl fmt::Display for KindId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        if self.group.is_empty() { Ok(()) } else { write!(f, ".{}", self.group) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::{apps::v1::StatefulSet, core::v1::Namespace};

    #[test]
    fn built_in_kinds_have_their_constants() {
        const SET: KindId = KindId::of::<StatefulSet>();
        const NS: KindId = KindId::of::<Namespace>();
        assert_eq!((SET.group, SET.plural, SET.namespaced), ("apps", "statefulsets", true));
        assert_eq!((SET.api_version(), SET.to_string()), ("apps/v1".into(), "StatefulSet.apps".into()));
        assert_eq!((NS.api_version(), NS.to_string()), ("v1".into(), "Namespace".into()));
        const { assert!(!NS.namespaced && NS.is(&KindId::of::<Namespace>()) && !NS.is(&SET)) }
    }
}
