//! One owned object, or a part of one.

use super::write::{BLANKS, Write, Writes, writes};
use super::{Field, clash, fields};
use crate::errors::Errors;
use crate::parse::{self, OwnedAttr, PartAttr, Template};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{DeriveInput, LitStr, Member, Path, Type};

/// An owned object.
pub(crate) struct Resource {
    pub(crate) kind: Option<Type>,
    pub(crate) name: Option<Template>,
    pub(crate) attr: OwnedAttr,
    /// The rule set of a role, and the field that holds its values.
    pub(crate) grants: Option<(Type, Member)>,
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
    let names: Vec<String> = fields.iter().map(Field::text).collect();
    let name = attr.name.as_ref().map(|name| Template::read(name, &BLANKS, &names, errors));
    used.extend(name.iter().flat_map(Template::fields).cloned());
    let writes = writes(&input.attrs, &fields, &mut used, errors);
    for write in &writes.list {
        refuse_root(write, errors);
    }
    let grants = attr.grants.as_ref().and_then(|(_, rules)| {
        let text = rules.to_token_stream().to_string();
        match fields.iter().find(|field| field.ty.to_token_stream().to_string() == text) {
            Some(field) => {
                used.insert(field.text());
                Some((rules.clone(), field.name.clone()))
            }
            None => {
                let message = format!("no field holds the values of `{text}`: add one, `rules: {text}`");
                errors.at(syn::spanned::Spanned::span(rules), message);
                None
            }
        }
    });
    let binds = attr.binds.as_ref().map(|binds| {
        let mut read = |text: &LitStr| Template::read(text, &BLANKS, &[], errors);
        let (role_name, subject) = (read(&binds.role_name), read(&binds.subject));
        Binds { role: binds.role.clone(), role_name, subject }
    });
    whole(&writes, &fields, &used, errors);
    Resource { kind: attr.kind.clone(), name, grants, binds, writes, attr }
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
        let phantom = matches!(field.ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"));
        if !phantom && !used.contains(&field.text()) {
            let name = field.text();
            let message = format!(
                "`{name}` goes nowhere: say where with `#[at(path)]` or `#[part(path)]`, or name it in a string, `{{{name}}}`"
            );
            errors.at(field.span(), message);
        }
    }
}

/// What the framework writes itself can't be written by a struct.
fn refuse_root(write: &Write, errors: &mut Errors) {
    let (Write::Value(path, _)
    | Write::Block(path, _)
    | Write::Unfinished(path)
    | Write::Field(path, ..)
    | Write::Part(path, ..)) = write;
    let Some(root) = path.root() else { return };
    match root.to_string().as_str() {
        "status" => errors.at(root.span(), "`status` is written by who runs the object, never by its owner"),
        "metadata" => {
            let below = match (path.segments.get(1), write) {
                (Some(parse::Segment::Field(below)), _) => vec![below],
                (None, Write::Block(_, inner)) => inner
                    .iter()
                    .filter_map(|write| match write {
                        Write::Value(path, _) | Write::Block(path, _) => path.root(),
                        _ => None,
                    })
                    .collect(),
                (None, Write::Unfinished(_)) => Vec::new(),
                _ => vec![root],
            };
            for field in below {
                let message = match field.to_string().as_str() {
                    "labels" | "annotations" => continue,
                    "name" => "the name comes from the set, `#[owned(Kind, name = \"...\")]` or `#[member(name = \"...\")]`",
                    "namespace" => "an object lives where its owner lives; `#[member(namespace = \"...\")]` says otherwise",
                    _ => "of `metadata` a struct writes `labels` and `annotations`; the rest is the framework's or the API server's",
                };
                errors.at(field.span(), message);
            }
        }
        _ => {}
    }
}

pub(super) fn path_span(attr: &syn::Attribute) -> Span {
    syn::spanned::Spanned::span(attr.path())
}
