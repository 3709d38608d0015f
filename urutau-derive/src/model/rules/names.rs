//! Names that a rule is limited to.

use super::Rule;
use crate::errors::Errors;

/// Refuses names that are empty, or that nobody knows where the rule is written.
pub(super) fn check(rule: &Rule, manages: bool, errors: &mut Errors) {
    for (said, name) in rule.attr.names.iter().flatten().zip(rule.names.iter().flatten()) {
        if said.value().is_empty() {
            errors.at(
                said.span(),
                "an empty name is that of every request without one, a list of everything among them; leave `names` out \
                 for every name, or write one",
            );
        } else if manages && !name.is_fixed() {
            errors.at(
                said.span(),
                "what an operator holds is written before there is any owner, so its names have no blanks; name what is \
                 fixed, or leave `names` out",
            );
        }
    }
}
