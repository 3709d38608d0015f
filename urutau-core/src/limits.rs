//! What the API server takes as a name or a label, kind by kind.

use crate::kind::KindId;

const LABEL_VALUE: usize = 63;

/// How a name may look.
enum Form {
    /// Lower case, digits and `-`, beginning with a letter.
    Label1035,
    /// Lower case, digits and `-`.
    Label,
    /// Labels joined by dots.
    Subdomain,
    /// Anything that can stand in a path: the names of RBAC objects.
    Segment,
}

/// The form and the greatest length of a kind's names. A `StatefulSet`'s Pods carry its name with a hash of 11
/// characters as a label, so its names are shorter than the API server says; a `CronJob`'s Jobs add 11 as well.
fn limit(kind: &KindId) -> (Form, usize) {
    match (kind.group, kind.kind) {
        ("", "Service") => (Form::Label1035, 63),
        ("", "Namespace") => (Form::Label, 63),
        ("apps", "StatefulSet") => (Form::Label, 52),
        ("batch", "CronJob") => (Form::Subdomain, 52),
        ("batch", "Job") => (Form::Subdomain, 63),
        ("rbac.authorization.k8s.io", _) => (Form::Segment, 253),
        _ => (Form::Subdomain, 253),
    }
}

/// Whether an object of this kind can have this name.
///
/// # Errors
/// Why not.
pub(crate) fn name(kind: &KindId, name: &str) -> Result<(), String> {
    let (form, most) = limit(kind);
    if name.is_empty() {
        return Err("the name is empty".to_owned());
    }
    if name.len() > most {
        return Err(format!("the name has {} characters; a {} can have {most}", name.len(), kind.kind));
    }
    let label = |text: &str| {
        let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !text.is_empty() && text.chars().all(inner) && !text.starts_with('-') && !text.ends_with('-')
    };
    let (good, want) = match form {
        Form::Label1035 => (
            label(name) && name.starts_with(|c: char| c.is_ascii_lowercase()),
            "lower case letters, digits and `-`, beginning with a letter",
        ),
        Form::Label => (label(name), "lower case letters, digits and `-`, with a letter or digit at both ends"),
        Form::Subdomain => (
            name.split('.').all(label),
            "lower case letters, digits, `-` and `.`, with a letter or digit at both ends of every part",
        ),
        Form::Segment => (
            !matches!(name, "." | "..") && !name.contains(['/', '%']),
            "anything but `.`, `..`, and a `/` or `%` in it",
        ),
    };
    if good { Ok(()) } else { Err(format!("not a name that a {} can have: {want}", kind.kind)) }
}

/// Whether a label can have this value.
///
/// # Errors
/// Why not.
pub(crate) fn label_value(value: &str) -> Result<(), String> {
    let alphanumeric = |c: Option<char>| c.is_none_or(|c| c.is_ascii_alphanumeric());
    let good = value.len() <= LABEL_VALUE
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && alphanumeric(value.chars().next())
        && alphanumeric(value.chars().last());
    if good {
        Ok(())
    } else {
        Err(format!(
            "`{value}` can't be the value of a label: at most {LABEL_VALUE} letters, digits, `-`, `_` and `.`, with a letter or digit at both ends"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::api::{apps::v1::StatefulSet, core::v1::*, rbac::v1::Role};

    #[test]
    fn names_keep_to_the_limits_of_their_kind() {
        let long = |n: usize| "a".repeat(n);
        let cases: &[(KindId, String, bool)] = &[
            (KindId::of::<ConfigMap>(), "a.b-c.0".into(), true),
            (KindId::of::<ConfigMap>(), "a..b".into(), false),
            (KindId::of::<ConfigMap>(), long(253), true),
            (KindId::of::<ConfigMap>(), long(254), false),
            (KindId::of::<Service>(), "0a".into(), false),
            (KindId::of::<Service>(), long(63), true),
            (KindId::of::<Service>(), long(64), false),
            (KindId::of::<StatefulSet>(), "a.b".into(), false),
            (KindId::of::<StatefulSet>(), long(52), true),
            (KindId::of::<StatefulSet>(), long(53), false),
            (KindId::of::<Role>(), "system:a/b".into(), false),
            (KindId::of::<Role>(), "system:A".into(), true),
            (KindId::of::<Pod>(), String::new(), false),
            (KindId::of::<Pod>(), "Upper".into(), false),
            (KindId::of::<Pod>(), "a-".into(), false),
        ];
        for (kind, text, good) in cases {
            assert_eq!(name(kind, text).is_ok(), *good, "{kind} {text}");
        }
    }

    #[test]
    fn label_values_keep_to_theirs() {
        for good in ["", "a", "A.b_c-d", "0"] {
            assert!(label_value(good).is_ok(), "{good}");
        }
        for bad in ["-a", "a-", "a b", &"a".repeat(64)] {
            assert!(label_value(bad).is_err(), "{bad}");
        }
    }
}
