//! Whether an operator may do what it does, and nothing more: its rules held against what it asked for.

use super::error::Error;
use super::plane::ControlPlane;
use super::request::Request;
use crate::rbac::{RuleSet, Rules, covers, normal_form, pieces};
use k8s_openapi::api::rbac::v1::PolicyRule;
use std::fmt;

const RBAC: &str = "rbac.authorization.k8s.io";

/// What came of holding the rules of an operator against what it asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Privilege {
    /// Requests that were refused for want of a right.
    pub refused: Vec<Request>,
    /// Requests that were answered though the rules do not give them: the operator ran with more.
    pub beyond: Vec<Request>,
    /// Rights that are held and were never used.
    pub unused: Vec<PolicyRule>,
    /// Rights that are held only to be granted on, and that no role grants.
    pub never_granted: Vec<PolicyRule>,
}

impl Privilege {
    /// Whether nothing was refused, and nothing is held that is not needed.
    pub fn is_least(&self) -> bool {
        self.refused.is_empty() && self.beyond.is_empty() && self.unused.is_empty() && self.never_granted.is_empty()
    }
}

impl ControlPlane {
    /// Holds the rules of `R` against everything that `user` asked for since the control plane started.
    ///
    /// Run a scenario with an operator that has exactly these rules first: one that creates, changes, removes and
    /// collides. Some uses never show as a request of their own, and are counted by what they come with: `create` by
    /// a PATCH that was answered 201; `update` on the owner's `finalizers`, which an owner reference that blocks
    /// deletion takes, by any such creation; `escalate` and `bind` by a role or binding that was written.
    ///
    /// # Errors
    /// When the audit log can't be read.
    pub async fn privilege<R: RuleSet>(&self, user: &str) -> Result<Privilege, Error> {
        Ok(privilege(R::RULES, &self.audited(user).await?))
    }
}

fn privilege(rules: &'static Rules, requests: &[Request]) -> Privilege {
    let refused = requests.iter().filter(|request| request.code == 403).cloned().collect();
    let answered: Vec<&Request> = requests.iter().filter(|request| request.code < 400).collect();
    let held = rules.policy_rules_where(|rule| !rule.to_grant);
    let beyond = answered.iter().filter(|request| !everyone_may(request) && !covers(&held, &[asked(request)]));
    let beyond = beyond.map(|&request| request.clone()).collect();
    let unused = held.iter().flat_map(pieces).filter(|piece| !answered.iter().any(|request| uses(request, piece)));
    let unused = normal_form(&unused.collect::<Vec<_>>());
    let granted = granted(rules);
    let to_grant = rules.policy_rules_where(|rule| rule.to_grant);
    let never = to_grant.iter().flat_map(pieces).filter(|piece| !covers(&granted, std::slice::from_ref(piece)));
    Privilege { refused, beyond, unused, never_granted: normal_form(&never.collect::<Vec<_>>()) }
}

/// Whoever is authenticated may ask what he may do, and what is served.
fn everyone_may(request: &Request) -> bool {
    request.group == "authorization.k8s.io" || request.resource.is_empty()
}

/// What a request takes, as a rule.
fn asked(request: &Request) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec![request.group.clone()]),
        resources: Some(vec![path(request)]),
        resource_names: (!request.name.is_empty()).then(|| vec![request.name.clone()]),
        verbs: vec![request.verb.clone()],
        non_resource_urls: None,
    }
}

/// The resource of a request, with its subresource.
fn path(request: &Request) -> String {
    match request.subresource.as_str() {
        "" => request.resource.clone(),
        sub => format!("{}/{sub}", request.resource),
    }
}

/// Whether a request, or what comes with it, takes this piece.
fn uses(request: &Request, piece: &PolicyRule) -> bool {
    let is =
        |list: &Option<Vec<String>>, text: &str| list.as_ref().is_none_or(|list| list.iter().any(|one| one == text));
    let verb = piece.verbs.first().map(String::as_str).unwrap_or_default();
    let path = piece.resources.iter().flatten().next().map(String::as_str).unwrap_or_default();
    if let Some(url) = piece.non_resource_urls.iter().flatten().next() {
        return request.resource.is_empty() && request.verb == verb && request.uri.split('?').next() == Some(url);
    }
    let created = request.verb == "patch" && request.code == 201 && request.subresource.is_empty();
    if verb == "update" && path.ends_with("/finalizers") {
        return created;
    }
    if matches!(verb, "escalate" | "bind") {
        let written =
            if verb == "escalate" { &["roles", "clusterroles"] } else { &["rolebindings", "clusterrolebindings"] };
        return request.group == RBAC
            && written.contains(&request.resource.as_str())
            && matches!(request.verb.as_str(), "patch" | "create" | "update");
    }
    is(&piece.api_groups, &request.group)
        && self::path(request) == path
        && is(&piece.resource_names, &request.name)
        && (request.verb == verb || (verb == "create" && created))
}

/// Everything that roles of the managed sets grant, on whatever names.
fn granted(rules: &'static Rules) -> Vec<PolicyRule> {
    let mut granted = Vec::new();
    rules.each_grant(&mut |_, rule| granted.push(rule.on_any_name()));
    granted
}

/// What is wrong, a line for each thing.
impl fmt::Display for Privilege {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for request in &self.refused {
            writeln!(f, "refused: {request}")?;
        }
        for request in &self.beyond {
            writeln!(f, "not given by the rules: {request}")?;
        }
        for (what, rules) in
            [("held and never used", &self.unused), ("held to be granted and never granted", &self.never_granted)]
        {
            for rule in rules {
                let on = rule.resources.iter().chain(&rule.non_resource_urls).flatten().cloned().collect::<Vec<_>>();
                let group = rule.api_groups.iter().flatten().cloned().collect::<Vec<_>>();
                writeln!(f, "{what}: {} on {} of {group:?}", rule.verbs.join(", "), on.join(", "))?;
            }
        }
        Ok(())
    }
}
