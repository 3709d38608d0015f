//! `#[owned(Kind, ...)]` and `#[part(Type, ...)]`.

use super::keys::{Keys, choice, list, only_once, value};
use super::each;
use crate::errors::Errors;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Token, Type};

const OWNED: Keys = Keys {
    attribute: "owned",
    known: &["name", "ready", "apply", "on_removal", "conflict", "takes_over", "grants", "binds", "crate"],
};

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
    pub(crate) grants: Option<(Span, Type)>,
    pub(crate) binds: Option<Binds>,
    pub(crate) krate: Option<Path>,
}

/// `binds(Role = "name", ServiceAccount = "name")`.
pub(crate) struct Binds {
    pub(crate) role: Type,
    pub(crate) role_name: LitStr,
    pub(crate) subject: LitStr,
}

/// Reads `#[owned(Kind, ...)]`.
pub(crate) fn owned(input: ParseStream, errors: &mut Errors) -> OwnedAttr {
    let mut attr = OwnedAttr::default();
    if input.is_empty() || (input.peek(Ident::peek_any) && input.peek2(Token![=])) {
        errors.push(input.error("the kind comes first: `#[owned(ConfigMap)]`"));
    } else {
        attr.kind = errors.keep(input.parse());
        if input.peek(Token![,]) {
            errors.keep(input.parse::<Token![,]>());
        }
    }
    each(input, errors, |input, _| {
        let key = OWNED.read(input)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "name" => only_once(&mut attr.name, value(&key, input)?, span, &what),
            "ready" if input.peek(Token![=]) => {
                only_once(&mut attr.ready, Ready::By(value(&key, input)?), span, &what)
            }
            "ready" => only_once(&mut attr.ready, Ready::Known, span, &what),
            "apply" => only_once(&mut attr.apply, choice(&key, &["always", "once", "recreate"], input)?, span, &what),
            "on_removal" => only_once(&mut attr.on_removal, choice(&key, &["delete", "keep"], input)?, span, &what),
            "conflict" => only_once(&mut attr.conflict, choice(&key, &["force", "yield"], input)?, span, &what),
            "takes_over" => {
                let content = list(&key, &input)?;
                attr.takes_over.extend(Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?);
                Ok(())
            }
            "grants" => {
                let content = list(&key, &input)?;
                only_once(&mut attr.grants, (span, content.parse()?), span, &what)
            }
            "binds" => {
                let content = list(&key, &input)?;
                only_once(&mut attr.binds, binds(&content)?, span, &what)
            }
            _ => only_once(&mut attr.krate, value(&key, input)?, span, &what),
        }
    });
    attr
}

fn binds(content: ParseStream) -> syn::Result<Binds> {
    let form = "a binding names its role and its subject: `binds(Role = \"{name}\", ServiceAccount = \"{name}\")`";
    let wrong = |error: syn::Error| syn::Error::new(error.span(), form);
    let role = content.parse().map_err(wrong)?;
    content.parse::<Token![=]>().map_err(wrong)?;
    let role_name = content.parse().map_err(wrong)?;
    content.parse::<Token![,]>().map_err(wrong)?;
    let subject: Ident = content.parse().map_err(wrong)?;
    if subject != "ServiceAccount" {
        return Err(syn::Error::new(subject.span(), form));
    }
    content.parse::<Token![=]>().map_err(wrong)?;
    let subject = content.parse().map_err(wrong)?;
    Ok(Binds { role, role_name, subject })
}

const PART: Keys = Keys { attribute: "part", known: &["crate"] };

/// `#[part(Type)]` on a struct.
#[derive(Default)]
pub(crate) struct PartAttr {
    pub(crate) of: Option<Type>,
    pub(crate) krate: Option<Path>,
}

/// Reads `#[part(Type, ...)]`.
pub(crate) fn part(input: ParseStream, errors: &mut Errors) -> PartAttr {
    let mut attr = PartAttr::default();
    if input.is_empty() {
        errors.push(input.error("the type comes first: `#[part(PodSpec)]`"));
    } else {
        attr.of = errors.keep(input.parse());
        if input.peek(Token![,]) {
            errors.keep(input.parse::<Token![,]>());
        }
    }
    each(input, errors, |input, _| {
        let key = PART.read(input)?;
        only_once(&mut attr.krate, value(&key, input)?, key.span(), "`crate`")
    });
    attr
}
