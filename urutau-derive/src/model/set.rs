//! A set of members.

use super::{Field, fields};
use crate::errors::Errors;
use crate::near;
use crate::parse::{self, MemberAttr, Piece, SetAttr, Template, path_span};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{DeriveInput, Ident, Type};

/// A set.
pub(crate) struct OwnedSet {
    pub(crate) attr: SetAttr,
    pub(crate) name: Option<Template>,
    pub(crate) labels: Vec<(String, Template)>,
    pub(crate) members: Vec<Member>,
}

/// A member of a set.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) name: Option<Template>,
    pub(crate) namespace: Option<Template>,
    /// Places of the members it comes after.
    pub(crate) after: Vec<usize>,
    pub(crate) optional_api: bool,
}

const IN_A_SET: [Piece; 4] = [Piece::Owner, Piece::Namespace, Piece::Name, Piece::Key];

/// Reads a struct that derives `OwnedSet`.
pub(crate) fn owned_set(input: &DeriveInput, errors: &mut Errors) -> OwnedSet {
    let mut fields = fields(input, "an owned set", errors);
    fields.retain(|field| !field.is_phantom());
    let mut attr = SetAttr::default();
    for owned_set in input.attrs.iter().filter(|attr| attr.path().is_ident("owned_set")) {
        parse::inside(owned_set, errors, |input, errors| parse::owned_set(input, &mut attr, errors));
    }
    if let (Some(manager), None) = (&attr.manager, &attr.owner) {
        errors.at(manager.span(), "only a set with an owner has a manager: add `owner = Kind`");
    }
    if let (Some(read), None) = (attr.reads.first(), &attr.owner) {
        errors.at(syn::spanned::Spanned::span(read), "only a set with an owner reads: say it there");
    }
    let mut seen = BTreeSet::new();
    for read in &attr.reads {
        let kind = read.to_token_stream().to_string();
        if !seen.insert(kind.clone()) {
            errors.at(syn::spanned::Spanned::span(read), format!("`{kind}` is read already; keep one"));
        }
    }
    if let Some(manager) = &attr.manager
        && (manager.value().is_empty() || manager.value().len() > 128)
    {
        errors.at(manager.span(), "a field manager has 1 to 128 characters");
    }
    let name = attr.name.as_ref().map(|name| Template::read(name, &IN_A_SET, &[], errors));
    let labels = labels(&attr, errors);
    let idents: Vec<Option<&Ident>> = fields.iter().map(Field::ident).collect();
    let members: Vec<Member> =
        fields.iter().enumerate().filter_map(|(i, field)| member(i, field, &idents, errors)).collect();
    cycles(&members, &fields, errors);
    OwnedSet { attr, name, labels, members }
}

fn labels(attr: &SetAttr, errors: &mut Errors) -> Vec<(String, Template)> {
    let mut seen = BTreeSet::new();
    let mut labels = Vec::new();
    for (key, value) in &attr.labels {
        if !seen.insert(key.value()) {
            errors.at(key.span(), format!("the label `{}` is said twice; keep one", key.value()));
        }
        if let Err(why) = label_key(&key.value()) {
            errors.at(key.span(), why);
        }
        labels.push((key.value(), Template::read(value, &IN_A_SET[..2], &[], errors)));
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

fn member(at: usize, field: &Field<'_>, idents: &[Option<&Ident>], errors: &mut Errors) -> Option<Member> {
    let mut attr = MemberAttr::default();
    for member in field.attrs.iter().filter(|attr| attr.path().is_ident("member")) {
        parse::inside(member, errors, |input, errors| parse::member(input, &mut attr, errors));
    }
    for wrong in field.attrs.iter().filter(|attr| attr.path().is_ident("owned_set")) {
        errors.at(path_span(wrong), "`#[owned_set]` stands on the struct; a field has `#[member(...)]`");
    }
    let Some(ident) = field.ident() else {
        errors.at(field.span(), "members have names: `struct Set { service: Service }`");
        return None;
    };
    let mut read = |text: &Option<syn::LitStr>| text.as_ref().map(|text| Template::read(text, &IN_A_SET, &[], errors));
    let (name, namespace) = (read(&attr.name), read(&attr.namespace));
    let mut after: Vec<usize> = Vec::new();
    for before in &attr.after {
        match idents.iter().position(|ident| ident.is_some_and(|ident| ident == before)) {
            Some(found) if found == at => errors.at(before.span(), format!("`{before}` can't come after itself")),
            Some(found) if after.contains(&found) => {
                errors.at(before.span(), format!("`{before}` is said twice; keep one"));
            }
            Some(found) => after.push(found),
            None => {
                let known: Vec<String> = idents.iter().flatten().map(ToString::to_string).collect();
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let hint = near::hint(&before.to_string(), &known);
                errors.at(before.span(), format!("the set has no member `{before}`; {hint}"));
            }
        }
    }
    let optional_api = attr.optional_api.is_some();
    Some(Member { ident: ident.clone(), ty: field.ty.clone(), name, namespace, after, optional_api })
}

/// Reports every member that comes after itself through others, once for each cycle.
fn cycles(members: &[Member], fields: &[Field<'_>], errors: &mut Errors) {
    if members.len() != fields.len() {
        return;
    }
    let mut reported = BTreeSet::new();
    for start in 0..members.len() {
        let Some(way) = way(members, start, start, &mut BTreeSet::new()) else { continue };
        if way.iter().any(|at| reported.contains(at)) {
            continue;
        }
        reported.extend(way.iter().copied());
        let names: Vec<String> = way.iter().map(|&at| format!("`{}`", members[at].ident)).collect();
        let span = members[start].ident.span();
        errors.at(span, format!("comes after itself: {} after `{}`", names.join(" after "), members[start].ident));
    }
}

/// A way from `at` to `goal` over `after`.
fn way(members: &[Member], at: usize, goal: usize, seen: &mut BTreeSet<usize>) -> Option<Vec<usize>> {
    for &next in &members[at].after {
        if next == goal {
            return Some(vec![at]);
        }
        if seen.insert(next)
            && let Some(mut rest) = way(members, next, goal, seen)
        {
            rest.insert(0, at);
            return Some(rest);
        }
    }
    None
}
