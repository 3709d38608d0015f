//! Asking the API server what its caller may do, piece by piece.
//!
//! One access review for each piece is exact; the rules review may be incomplete with authorizers other than RBAC.
//! Everyone who is authenticated may ask.

use super::render::normal_form;
use super::rule::{Place, Rules};
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{Api, PostParams};
use kube::{Client, Error};
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
}

/// Asks for every piece of `rules` whether the caller of `client` holds it: in each of `namespaces` what has to be held
/// there, and the rest, or without namespaces everything, in the whole cluster.
///
/// # Errors
/// When the API server does not answer.
pub async fn missing_rights(
    client: &Client,
    rules: &'static Rules,
    namespaces: &[String],
) -> Result<Vec<Missing>, Error> {
    let mut places: Vec<(Option<String>, Vec<PolicyRule>)> = Vec::new();
    if namespaces.is_empty() {
        places.push((None, rules.policy_rules()));
    } else {
        places.push((None, rules.policy_rules_of(Place::Cluster)));
        let within = rules.policy_rules_of(Place::Namespaces);
        places.extend(namespaces.iter().map(|namespace| (Some(namespace.clone()), within.clone())));
    }
    let mut missing = Vec::new();
    for (namespace, rules) in places {
        let refused = refused(client, namespace.as_deref(), &rules).await?;
        if !refused.is_empty() {
            missing.push(Missing { namespace, rules: normal_form(refused) });
        }
    }
    Ok(missing)
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

/// A rule as single pieces of group, resource, verb and name, or of URL and verb.
pub(crate) fn pieces(rule: &PolicyRule) -> Vec<PolicyRule> {
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
    let spec = match first(&piece.non_resource_urls) {
        Some(path) => SelfSubjectAccessReviewSpec {
            non_resource_attributes: Some(NonResourceAttributes { path: Some(path), verb }),
            resource_attributes: None,
        },
        None => {
            let path = first(&piece.resources).unwrap_or_default();
            let (resource, sub) =
                path.split_once('/').map_or((path.as_str(), None), |(resource, sub)| (resource, Some(sub)));
            SelfSubjectAccessReviewSpec {
                resource_attributes: Some(ResourceAttributes {
                    group: first(&piece.api_groups),
                    resource: Some(resource.to_owned()),
                    subresource: sub.map(str::to_owned),
                    name: first(&piece.resource_names),
                    namespace: namespace.map(str::to_owned),
                    verb,
                    ..ResourceAttributes::default()
                }),
                non_resource_attributes: None,
            }
        }
    };
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
