//! What the API server asks before it lets someone write a role or a binding.

use super::policy::missing;
use k8s_openapi::api::rbac::v1::PolicyRule;
use std::collections::BTreeMap;

const GROUP: &str = "rbac.authorization.k8s.io";

/// What someone may do: in the whole cluster, and beyond that in single namespaces.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Held {
    /// Rules of cluster-wide bindings.
    pub everywhere: Vec<PolicyRule>,
    /// Rules of bindings within a namespace, by its name.
    pub within: BTreeMap<String, Vec<PolicyRule>>,
}

/// A role that a binding refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoleRef<'a> {
    /// A Role of the binding's namespace.
    Role(&'a str),
    /// A `ClusterRole`.
    ClusterRole(&'a str),
}

impl Held {
    /// Rules that are held in the whole cluster.
    pub fn everywhere(rules: Vec<PolicyRule>) -> Self {
        Self { everywhere: rules, within: BTreeMap::new() }
    }

    /// The same, with further rules within a namespace.
    #[must_use]
    pub fn and_within(mut self, namespace: impl Into<String>, rules: Vec<PolicyRule>) -> Self {
        self.within.entry(namespace.into()).or_default().extend(rules);
        self
    }

    /// What counts in a namespace, or without one in the whole cluster. What is held in a namespace counts nowhere
    /// else.
    pub fn rules(&self, namespace: Option<&str>) -> Vec<PolicyRule> {
        let within = namespace.and_then(|namespace| self.within.get(namespace));
        self.everywhere.iter().chain(within.into_iter().flatten()).cloned().collect()
    }

    /// Whether a verb on one object is held; without a name, on whatever a request does not name.
    pub fn allows(&self, namespace: Option<&str>, group: &str, resource: &str, verb: &str, name: Option<&str>) -> bool {
        // A request without a name has an empty one, which is what the API server compares: a rule whose names hold an
        // empty one gives it, though it covers no rule without names.
        missing(&self.rules(namespace), &[right(group, resource, verb, name.unwrap_or_default())]).is_empty()
    }

    /// What is missing for writing a role with these rules: a Role in `namespace`, or without one a `ClusterRole`. The
    /// verb `escalate` on it stands for everything. `name` is that of the request: Server-Side Apply, a PUT and a PATCH
    /// have one, a POST has none, so rules with names never give it `escalate`.
    pub fn missing_to_write(
        &self,
        namespace: Option<&str>,
        name: Option<&str>,
        rules: &[PolicyRule],
    ) -> Vec<PolicyRule> {
        let resource = if namespace.is_some() { "roles" } else { "clusterroles" };
        if self.allows(namespace, GROUP, resource, "escalate", name) {
            return Vec::new();
        }
        missing(&self.rules(namespace), rules)
    }

    /// What is missing for writing a `ClusterRole` that aggregates others, or one that did until now. The API server asks
    /// for every right there is, because its rules can become that, or for the verb `escalate` on it. That is one of
    /// them, so it is all that counts.
    pub fn missing_to_aggregate(&self, name: Option<&str>) -> Vec<PolicyRule> {
        if self.allows(None, GROUP, "clusterroles", "escalate", name) {
            return Vec::new();
        }
        let mut escalate = right(GROUP, "clusterroles", "escalate", name.unwrap_or_default());
        escalate.resource_names.take_if(|_| name.is_none());
        vec![escalate]
    }

    /// What is missing for binding someone to a role with these rules: in `namespace`, or without one everywhere. The
    /// verb `bind` on the role stands for everything.
    pub fn missing_to_bind(&self, namespace: Option<&str>, role: RoleRef<'_>, rules: &[PolicyRule]) -> Vec<PolicyRule> {
        let (resource, name) = match role {
            RoleRef::Role(name) => ("roles", name),
            RoleRef::ClusterRole(name) => ("clusterroles", name),
        };
        if self.allows(namespace, GROUP, resource, "bind", Some(name)) {
            return Vec::new();
        }
        missing(&self.rules(namespace), rules)
    }
}

fn right(group: &str, resource: &str, verb: &str, name: &str) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(vec![resource.to_owned()]),
        resource_names: Some(vec![name.to_owned()]),
        verbs: vec![verb.to_owned()],
        non_resource_urls: None,
    }
}
