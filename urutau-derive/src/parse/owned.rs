//! `#[owned(Kind, ...)]` and `#[part(Type, ...)]`.

use super::each;
use super::keys::{Keys, choice, flag, label, list, only_once, string, text, value};
use crate::errors::Errors;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Path, Token, Type, parenthesized, token};

pub(super) const OWNED: Keys = Keys {
    attribute: "owned",
    known: &[
        "name",
        "ready",
        "apply",
        "on_removal",
        "conflict",
        "takes_over",
        "grants",
        "aggregates",
        "binds",
        "crate",
    ],
};

const GRANTS_AND_AGGREGATES: &str = "a role has its rules by `grants` or, from other roles, by `aggregates`; keep one";

/// How readiness is told.
pub(crate) enum Ready {
    Known,
    By(Box<Path>),
}

/// `#[owned(...)]`.
#[derive(Default)]
pub(crate) struct OwnedAttr {
    pub(crate) kind: Option<Type>,
    pub(crate) name: Option<LitStr>,
    pub(crate) ready: Option<Ready>,
    /// Places in `always | once | recreate`, `delete | keep` and `force | yield`.
    pub(crate) apply: Option<usize>,
    pub(crate) on_removal: Option<usize>,
    pub(crate) conflict: Option<usize>,
    pub(crate) takes_over: Vec<LitStr>,
    pub(crate) grants: Option<Type>,
    pub(crate) aggregates: Option<Aggregates>,
    pub(crate) binds: Option<Binds>,
    pub(crate) krate: Option<Path>,
}

/// `aggregates("key" = "value", ...)`.
pub(crate) struct Aggregates {
    pub(crate) key: Ident,
    pub(crate) labels: Vec<(LitStr, LitStr)>,
}

/// `binds(Role = "name", ServiceAccount = "name")`.
pub(crate) struct Binds {
    pub(crate) role: Type,
    pub(crate) role_name: LitStr,
    pub(crate) subject: LitStr,
}

/// Reads `#[owned(Kind, ...)]`.
pub(crate) fn owned(input: ParseStream, errors: &mut Errors) -> OwnedAttr {
    let mut attr = OwnedAttr {
        kind: first_type(input, "the kind comes first: `#[owned(ConfigMap)]`", errors),
        ..OwnedAttr::default()
    };
    each(input, errors, |input, errors| {
        let key = OWNED.read(input, errors)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "name" => only_once(&mut attr.name, text(&key, input)?, span, &what),
            "ready" => only_once(&mut attr.ready, ready(&key, input)?, span, &what),
            "apply" => only_once(&mut attr.apply, choice(&key, &["always", "once", "recreate"], input)?, span, &what),
            "on_removal" => only_once(&mut attr.on_removal, choice(&key, &["delete", "keep"], input)?, span, &what),
            "conflict" => only_once(&mut attr.conflict, choice(&key, &["force", "yield"], input)?, span, &what),
            "takes_over" => {
                let manager = "a field manager is a string: `takes_over(\"kubectl\")`";
                attr.takes_over.extend(list(&key, input, errors, |input, _| string(input, manager))?);
                Ok(())
            }
            "grants" => {
                let rules = list(&key, input, errors, |input, _| input.parse::<Type>())?;
                let rules = rules.into_iter().next().ok_or_else(|| {
                    syn::Error::new(span, "`grants` names the rule set that the role hands out: `grants(Rules)`")
                })?;
                if attr.aggregates.is_some() {
                    errors.at(span, GRANTS_AND_AGGREGATES);
                }
                only_once(&mut attr.grants, rules, span, &what)
            }
            "aggregates" => {
                let aggregates = aggregates(key, input, errors)?;
                if attr.grants.is_some() {
                    errors.at(span, GRANTS_AND_AGGREGATES);
                }
                only_once(&mut attr.aggregates, aggregates, span, &what)
            }
            "binds" => {
                let binds = binds(&key, input)?;
                only_once(&mut attr.binds, binds, span, &what)
            }
            _ => only_once(&mut attr.krate, value(&key, input)?, span, &what),
        }
    });
    attr
}

/// Reads the type that an attribute begins with.
fn first_type(input: ParseStream, form: &str, errors: &mut Errors) -> Option<Type> {
    if input.is_empty() || (input.peek(Ident::peek_any) && input.peek2(Token![=])) {
        errors.at(input.span(), form);
        return None;
    }
    match input.parse() {
        Ok(ty) => {
            let _ = input.parse::<Token![,]>();
            Some(ty)
        }
        Err(error) => {
            errors.at(error.span(), form);
            super::skip_to_comma(input);
            let _ = input.parse::<Token![,]>();
            None
        }
    }
}

fn ready(key: &Ident, input: ParseStream) -> syn::Result<Ready> {
    if input.peek(Token![=]) {
        return Ok(Ready::By(value(key, input)?));
    }
    flag(key, input)?;
    Ok(Ready::Known)
}

fn aggregates(key: Ident, input: ParseStream, errors: &mut Errors) -> syn::Result<Aggregates> {
    let mut every = true;
    let labels = list(&key, input, errors, |input, _| {
        every = false;
        label(input)
    })?;
    if every {
        let message = "`aggregates` names the labels of the roles; without any it would be every role: `aggregates(\"key\" = \"value\")`";
        return Err(syn::Error::new(key.span(), message));
    }
    Ok(Aggregates { key, labels })
}

fn binds(key: &Ident, input: ParseStream) -> syn::Result<Binds> {
    let form = "a binding names its role and its subject: `binds(Role = \"{name}\", ServiceAccount = \"{name}\")`";
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(key.span(), form));
    }
    let content;
    parenthesized!(content in input);
    let read = |content: ParseStream| -> syn::Result<Binds> {
        let role = content.parse()?;
        content.parse::<Token![=]>()?;
        let role_name = content.parse()?;
        content.parse::<Token![,]>()?;
        let subject: Ident = content.parse()?;
        if subject != "ServiceAccount" {
            return Err(syn::Error::new(subject.span(), form));
        }
        content.parse::<Token![=]>()?;
        let subject = content.parse()?;
        let _ = content.parse::<Token![,]>();
        if !content.is_empty() {
            return Err(syn::Error::new(content.span(), form));
        }
        Ok(Binds { role, role_name, subject })
    };
    read(&content).map_err(|error| {
        // What is left unread would be reported once more.
        let _ = content.parse::<proc_macro2::TokenStream>();
        syn::Error::new(error.span(), form)
    })
}

pub(super) const PART: Keys = Keys { attribute: "part", known: &["crate"] };

/// `#[part(Type)]` on a struct.
#[derive(Default)]
pub(crate) struct PartAttr {
    pub(crate) of: Option<Type>,
    pub(crate) krate: Option<Path>,
}

/// Reads `#[part(Type, ...)]`.
pub(crate) fn part(input: ParseStream, errors: &mut Errors) -> PartAttr {
    let mut attr = PartAttr { of: first_type(input, "the type comes first: `#[part(PodSpec)]`", errors), krate: None };
    each(input, errors, |input, errors| {
        let key = PART.read(input, errors)?;
        only_once(&mut attr.krate, value(&key, input)?, key.span(), "`crate`")
    });
    attr
}
