//! Labels, as attributes have them: keys as they stand, and values that may have blanks.

use crate::errors::Errors;
use crate::parse::{Piece, Template};
use std::collections::BTreeSet;
use syn::{LitStr, Member};

/// Reads labels; each key is one that the API server takes, and is there once.
pub(super) fn labels(
    said: &[(LitStr, LitStr)],
    blanks: &[Piece],
    fields: &[Member],
    errors: &mut Errors,
) -> Vec<(String, Template)> {
    let mut seen = BTreeSet::new();
    let mut labels = Vec::new();
    for (key, value) in said {
        if !seen.insert(key.value()) {
            errors.at(key.span(), format!("the label `{}` is said twice; keep one", key.value()));
        }
        if let Err(why) = label_key(&key.value()) {
            errors.at(key.span(), why);
        }
        labels.push((key.value(), Template::read(value, blanks, fields, errors)));
    }
    labels
}

/// What the API server takes as the key of a label.
fn label_key(key: &str) -> Result<(), String> {
    let (prefix, name) = key.rsplit_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let word = |text: &str, more: &str| {
        text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric())
    };
    if name.len() > 63 || !word(name, "-_.") || prefix.is_some_and(|p| p.len() > 253 || !word(p, "-.")) {
        return Err(format!(
            "`{key}` can't be the key of a label: `prefix.example/name`, the name of at most 63 letters, digits, `-`, `_` and `.`"
        ));
    }
    Ok(())
}
