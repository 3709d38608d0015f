//! One owned object, or a part of one.

use super::labels::labels;
use super::write::{BLANKS, Writes, writes};
use super::{Field, clash, fields, names, refuse};
use crate::errors::Errors;
use crate::parse::{self, OwnedAttr, PartAttr, Template, field_text, path_span};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{DeriveInput, LitStr, Member, Path, Type};

/// An owned object.
pub(crate) struct Resource {
    pub(crate) kind: Option<Type>,
    pub(crate) name: Option<Template>,
    pub(crate) attr: OwnedAttr,
    /// The rule set of a role, and the field that holds its values.
    pub(crate) grants: Option<(Type, Member)>,
    /// The labels of the roles whose rules a role has.
    pub(crate) aggregates: Option<Vec<(String, Template)>>,
    pub(crate) binds: Option<Binds>,
    pub(crate) writes: Writes,
}

/// What a binding refers to.
pub(crate) struct Binds {
    pub(crate) role: Type,
    pub(crate) role_name: Template,
    pub(crate) subject: Template,
}

/// A part of an object.
pub(crate) struct Part {
    pub(crate) of: Option<Type>,
    pub(crate) krate: Option<Path>,
    pub(crate) writes: Writes,
}

/// Reads a struct that derives `OwnedResource`.
pub(crate) fn resource(input: &DeriveInput, errors: &mut Errors) -> Resource {
    let fields = fields(input, "an owned resource", errors);
    let mut attr = OwnedAttr::default();
    let mut owned = input.attrs.iter().filter(|attr| attr.path().is_ident("owned"));
    match owned.next() {
        Some(first) => parse::inside(first, errors, |input, errors| attr = parse::owned(input, errors)),
        None => errors.at(input.ident.span(), "say which kind it is: `#[owned(ConfigMap)]`"),
    }
    for second in owned {
        errors.at(path_span(second), "`#[owned]` is said twice; keep one");
    }
    let mut used = BTreeSet::new();
    let name = attr.name.as_ref().map(|name| Template::read(name, &BLANKS, &names(&fields), errors));
    used.extend(name.iter().flat_map(Template::fields).map(field_text));
    let mut writes = writes(&input.attrs, &fields, &mut used, errors);
    writes.list.retain(|write| refuse::root(write, errors));
    let grants = attr.grants.as_ref().and_then(|rules| {
        let text = rules.to_token_stream().to_string();
        let Some(field) = fields.iter().find(|field| field.ty.to_token_stream().to_string() == text) else {
            errors.at(rules.span(), format!("no field holds the values of `{text}`: add one, `rules: {text}`"));
            return None;
        };
        used.insert(field.text());
        Some((rules.clone(), field.name.clone()))
    });
    let aggregates = attr.aggregates.as_ref().map(|said| labels(&said.labels, &BLANKS, &names(&fields), errors));
    let blanks = aggregates.iter().flatten().flat_map(|(_, value)| value.fields());
    used.extend(blanks.map(field_text));
    let binds = attr.binds.as_ref().map(|binds| {
        let mut read = |text: &LitStr| Template::read(text, &BLANKS, &[], errors);
        let (role_name, subject) = (read(&binds.role_name), read(&binds.subject));
        Binds { role: binds.role.clone(), role_name, subject }
    });
    whole(&writes, &fields, &used, errors);
    Resource { kind: attr.kind.clone(), name, grants, aggregates, binds, writes, attr }
}

/// Reads a struct that derives `Part`.
pub(crate) fn part(input: &DeriveInput, errors: &mut Errors) -> Part {
    let fields = fields(input, "a part", errors);
    let mut attr = PartAttr::default();
    let mut parts = input.attrs.iter().filter(|attr| attr.path().is_ident("part"));
    match parts.next() {
        Some(first) => parse::inside(first, errors, |input, errors| attr = parse::part(input, errors)),
        None => errors.at(input.ident.span(), "say of which type it is a part: `#[part(PodSpec)]`"),
    }
    for second in parts {
        errors.at(path_span(second), "`#[part]` is said twice; keep one");
    }
    let mut used = BTreeSet::new();
    let writes = writes(&input.attrs, &fields, &mut used, errors);
    whole(&writes, &fields, &used, errors);
    Part { of: attr.of, krate: attr.krate, writes }
}

fn whole(writes: &Writes, fields: &[Field<'_>], used: &BTreeSet<String>, errors: &mut Errors) {
    clash::check(&writes.list, errors);
    for field in fields {
        let name = field.text();
        if field.is_phantom() || used.contains(&name) {
            continue;
        }
        let message = format!(
            "`{name}` goes nowhere: say where with `#[at(path)]` or `#[part(path)]`, or name it in a string, `{{{name}}}`"
        );
        errors.at(field.span(), message);
    }
}
