//! `*` in what an operator holds.

use crate::errors::Errors;
use crate::parse::{Resource, RuleAttr};
use proc_macro2::Span;

/// Refuses a `*` that an operator holds for its own use, unless the rule says that it is meant. One that is held to be
/// granted says so already, and what a workload is granted is its author's affair.
pub(super) fn check(rule: &RuleAttr, manages: bool, errors: &mut Errors) {
    let stars = stars(rule);
    match (rule.wildcard, stars.is_empty()) {
        (Some(said), _) if !manages => {
            errors.at(said, "`wildcard` is for what an operator holds, and this rule set manages nothing; take it out");
        }
        (Some(said), true) => errors.at(said, "there is no `*` in this rule; take `wildcard` out"),
        (Some(said), false) if rule.to_grant => {
            errors.at(said, "`to_grant` says what the `*` is for; take `wildcard` out");
        }
        (None, false) if manages && !rule.to_grant => {
            for span in stars {
                errors.at(
                    span,
                    "with `*` the operator holds more than anyone can say; name what it uses, or say `wildcard` if it is \
                     meant, or `to_grant` if it is only granted on",
                );
            }
        }
        _ => {}
    }
}

/// Where a rule says `*`: for a verb, a group, a resource, or every path of the API server.
fn stars(rule: &RuleAttr) -> Vec<Span> {
    let mut stars = Vec::new();
    for resource in &rule.resources {
        match resource {
            Resource::Typed { .. } => {}
            Resource::Named { group, resource, .. } => {
                stars.extend([group, resource].into_iter().filter(|text| text.value() == "*").map(syn::LitStr::span));
            }
            Resource::Urls(urls) => {
                let all = urls.iter().filter(|url| matches!(url.value().trim_end_matches('*'), "" | "/"));
                stars.extend(all.filter(|url| url.value().ends_with('*')).map(syn::LitStr::span));
            }
        }
    }
    stars.extend(rule.verbs.iter().filter(|verb| verb.word == "*").map(|verb| verb.span));
    stars
}
