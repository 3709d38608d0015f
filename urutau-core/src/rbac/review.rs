//! Asking the API server what its caller may do, piece by piece.
//!
//! One access review for each piece is exact; the rules review may be incomplete with authorizers other than RBAC.
//! Everyone who is authenticated may ask.

use super::derived;
use super::policy::missing;
use super::render::normal_form;
use super::rule::{Only, Place, Rules};
use crate::kind::KindId;
use crate::node::Node;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{Api, PostParams};
use kube::{Client, Error};
use serde_json::json;
use std::fmt;

/// How many reviews are under way at once.
const AT_ONCE: usize = 16;

/// Rights that are needed and not held.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Missing {
    /// The namespace they are missing in; nothing for the whole cluster.
    pub namespace: Option<String>,
    /// The rights, in normal form.
    pub rules: Vec<PolicyRule>,
    /// Whether only members that say `optional_api` need them: those are off without, and nothing else is.
    pub optional: bool,
}

/// Rights that are needed, by where they have to be held.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Need {
    /// In each namespace that is worked in.
    pub in_namespaces: Vec<PolicyRule>,
    /// In the whole cluster, wherever is worked.
    pub in_cluster: Vec<PolicyRule>,
    /// What only members that say `optional_api` need in each namespace.
    pub optional_in_namespaces: Vec<PolicyRule>,
    /// What only they need in the whole cluster.
    pub optional_in_cluster: Vec<PolicyRule>,
}

impl Need {
    /// What these rules say.
    pub fn of_rules(rules: &'static Rules) -> Self {
        let mut needed = Vec::new();
        rules.each_needed(&mut |rule| {
            if !matches!(rule.only, Only::RunTime) {
                needed.push(rule.fixed_policy());
            }
        });
        let split = |place| {
            let all = rules.policy_rules_of(place);
            let optional = missing(&needed, &all);
            (missing(&optional, &all), optional)
        };
        let (in_namespaces, optional_in_namespaces) = split(Place::Namespaces);
        let (in_cluster, optional_in_cluster) = split(Place::Cluster);
        Self { in_namespaces, in_cluster, optional_in_namespaces, optional_in_cluster }
    }

    /// What managing a set takes, what its roles grant, and `escalate` on those that aggregate others.
    pub fn of_node(node: &'static Node) -> Self {
        let (mut all, mut needed) = (Self::default(), Self::default());
        let mut add = |place, rule: PolicyRule, optional: bool| {
            if !optional {
                needed.add(place, rule.clone());
            }
            all.add(place, rule);
        };
        derived::each(node, &mut |rule, optional| add(rule.place, rule.fixed_policy(), optional));
        derived::each_to_escalate(node, &mut |rule, optional| add(rule.place, rule.fixed_policy(), optional));
        node.every_object(&mut |object, optional| {
            for grant in object.grants {
                // What a role grants has to be held where the role is, wherever it counts.
                let place = Place::of(&object.kind);
                grant.rules.each(&mut |rule| add(place, rule.granted_policy(), optional));
            }
        });
        needed.and_optional(&all)
    }

    fn add(&mut self, place: Place, rule: PolicyRule) {
        match place {
            Place::Namespaces => self.in_namespaces.push(rule),
            Place::Cluster => self.in_cluster.push(rule),
        }
    }

    /// What of `all` is not in this is optional.
    fn and_optional(self, all: &Self) -> Self {
        Self {
            optional_in_namespaces: missing(&self.in_namespaces, &all.in_namespaces),
            optional_in_cluster: missing(&self.in_cluster, &all.in_cluster),
            in_namespaces: normal_form(&self.in_namespaces),
            in_cluster: normal_form(&self.in_cluster),
        }
    }
}

/// Asks for every piece of what is needed whether the caller of `client` holds it: in each of `namespaces` what has to
/// be held there, and the rest, or without namespaces everything, in the whole cluster.
///
/// # Errors
/// When the API server does not answer.
pub async fn missing_rights(client: &Client, need: &Need, namespaces: &[String]) -> Result<Vec<Missing>, Error> {
    let needed = [
        (&need.in_cluster, &need.in_namespaces, false),
        (&need.optional_in_cluster, &need.optional_in_namespaces, true),
    ];
    let mut missing = Vec::new();
    for (in_cluster, in_namespaces, optional) in needed {
        let mut places = vec![(None, in_cluster.clone())];
        if namespaces.is_empty() {
            places[0].1.extend(in_namespaces.iter().cloned());
        }
        places.extend(namespaces.iter().map(|namespace| (Some(namespace.clone()), in_namespaces.clone())));
        for (namespace, rules) in places {
            let refused = refused(client, namespace.as_deref(), &rules).await?;
            if !refused.is_empty() {
                missing.push(Missing { namespace, rules: normal_form(&refused), optional });
            }
        }
    }
    Ok(missing)
}

/// The name of an operator's Role in one of the namespaces that it works in. Roles of several namespaces have names of
/// their own: tools that put all of them into one namespace would otherwise take them for one.
pub fn role_in(role: &str, namespace: &str) -> String {
    format!("{role}-{namespace}")
}

impl Missing {
    /// Whether any of the rights is one on this kind or a subresource of it.
    pub(crate) fn concerns(&self, kind: &KindId) -> bool {
        self.rules.iter().any(|rule| {
            let of_group = rule.api_groups.iter().flatten().any(|group| group == kind.group);
            let plural = |path: &String| path.split('/').next() == Some(kind.plural);
            of_group && rule.resources.iter().flatten().any(plural)
        })
    }

    /// A command that adds the rights to the role of this name, in a namespace to its [`role_in`].
    pub fn patch(&self, role: &str) -> String {
        let rules: Vec<_> =
            self.rules.iter().map(|rule| json!({ "op": "add", "path": "/rules/-", "value": rule })).collect();
        let role = match &self.namespace {
            Some(namespace) => format!("role {} -n {namespace}", role_in(role, namespace)),
            None => format!("clusterrole {role}"),
        };
        format!("kubectl patch {role} --type=json -p '{}'", json!(rules))
    }
}

/// The pieces that are not held.
async fn refused(client: &Client, namespace: Option<&str>, rules: &[PolicyRule]) -> Result<Vec<PolicyRule>, Error> {
    let reviews: Api<SelfSubjectAccessReview> = Api::all(client.clone());
    let answers = stream::iter(rules.iter().flat_map(pieces)).map(|piece| {
        let (reviews, review) = (&reviews, review(namespace, &piece));
        async move {
            let answer = reviews.create(&PostParams::default(), &review).await?;
            let allowed = answer.status.is_some_and(|status| status.allowed);
            Ok::<_, Error>((!allowed).then_some(piece))
        }
    });
    let refused = answers.buffered(AT_ONCE).try_filter_map(|piece| async { Ok(piece) });
    refused.try_collect().await
}

/// A rule as single pieces of group, resource, verb and name, or of URL and verb: what the API server compares, and what
/// one access review can ask for. The pieces of a rule without names have none.
pub fn pieces(rule: &PolicyRule) -> Vec<PolicyRule> {
    let names: Vec<Option<Vec<String>>> = match rule.resource_names.as_deref() {
        None | Some([]) => vec![None],
        Some(names) => names.iter().map(|name| Some(vec![name.clone()])).collect(),
    };
    let mut pieces = Vec::new();
    for verb in &rule.verbs {
        let verbs = vec![verb.clone()];
        for url in rule.non_resource_urls.iter().flatten() {
            let non_resource_urls = Some(vec![url.clone()]);
            pieces.push(PolicyRule { non_resource_urls, verbs: verbs.clone(), ..PolicyRule::default() });
        }
        for group in rule.api_groups.iter().flatten() {
            for resource in rule.resources.iter().flatten() {
                pieces.extend(names.iter().map(|name| PolicyRule {
                    api_groups: Some(vec![group.clone()]),
                    resources: Some(vec![resource.clone()]),
                    resource_names: name.clone(),
                    verbs: verbs.clone(),
                    non_resource_urls: None,
                }));
            }
        }
    }
    pieces
}

/// The question for one piece.
fn review(namespace: Option<&str>, piece: &PolicyRule) -> SelfSubjectAccessReview {
    let first = |list: &Option<Vec<String>>| list.as_ref().and_then(|list| list.first().cloned());
    let verb = piece.verbs.first().cloned();
    let mut spec = SelfSubjectAccessReviewSpec::default();
    if let Some(path) = first(&piece.non_resource_urls) {
        spec.non_resource_attributes = Some(NonResourceAttributes { path: Some(path), verb });
    } else {
        let path = first(&piece.resources).unwrap_or_default();
        let (resource, sub) =
            path.split_once('/').map_or((path.as_str(), None), |(resource, sub)| (resource, Some(sub)));
        spec.resource_attributes = Some(ResourceAttributes {
            group: first(&piece.api_groups),
            resource: Some(resource.to_owned()),
            subresource: sub.map(str::to_owned),
            name: first(&piece.resource_names),
            namespace: namespace.map(str::to_owned),
            verb,
            ..ResourceAttributes::default()
        });
    }
    SelfSubjectAccessReview { spec, ..SelfSubjectAccessReview::default() }
}

/// `get, list on secrets in team-a; ...`
impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place =
            self.namespace.as_ref().map_or_else(|| "the whole cluster".to_owned(), |name| format!("namespace {name}"));
        for (i, rule) in self.rules.iter().enumerate() {
            let what: Vec<&str> =
                rule.resources.iter().chain(&rule.non_resource_urls).flatten().map(String::as_str).collect();
            let group = rule.api_groups.iter().flatten().find(|group| !group.is_empty());
            write!(f, "{}{} on {}", if i > 0 { "; " } else { "" }, rule.verbs.join(", "), what.join(", "))?;
            if let Some(group) = group {
                write!(f, " of {group}")?;
            }
            if let Some(names) = &rule.resource_names {
                write!(f, " named {}", names.join(", "))?;
            }
        }
        write!(f, " in {place}")
    }
}
