//! `#[owned_set(...)]` and `#[member(...)]`.

use super::each;
use super::keys::{Keys, flag, label, list, only_once, text, value};
use crate::errors::Errors;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Path, Type};

pub(super) const SET: Keys =
    Keys { attribute: "owned_set", known: &["owner", "manager", "name", "labels", "reads", "crate"] };
pub(super) const MEMBER: Keys = Keys { attribute: "member", known: &["name", "namespace", "after", "optional_api"] };

/// `#[owned_set(...)]`, all of them together.
#[derive(Default)]
pub(crate) struct SetAttr {
    pub(crate) owner: Option<Type>,
    pub(crate) manager: Option<LitStr>,
    pub(crate) name: Option<LitStr>,
    pub(crate) labels: Vec<(LitStr, LitStr)>,
    pub(crate) reads: Vec<Type>,
    pub(crate) krate: Option<Path>,
}

/// Reads one `#[owned_set(...)]` into `attr`.
pub(crate) fn owned_set(input: ParseStream, attr: &mut SetAttr, errors: &mut Errors) {
    each(input, errors, |input, errors| {
        let key = SET.read(input, errors)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "owner" => only_once(&mut attr.owner, value(&key, input)?, span, &what),
            "manager" => only_once(&mut attr.manager, text(&key, input)?, span, &what),
            "name" => only_once(&mut attr.name, text(&key, input)?, span, &what),
            "labels" => {
                attr.labels.extend(list(&key, input, errors, |input, _| label(input))?);
                Ok(())
            }
            "reads" => {
                attr.reads.extend(list(&key, input, errors, |input, _| input.parse())?);
                Ok(())
            }
            _ => only_once(&mut attr.krate, value(&key, input)?, span, &what),
        }
    });
}

/// `#[member(...)]`.
#[derive(Default)]
pub(crate) struct MemberAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) namespace: Option<LitStr>,
    pub(crate) after: Vec<Ident>,
    pub(crate) optional_api: Option<()>,
}

/// Reads one `#[member(...)]` into `attr`.
pub(crate) fn member(input: ParseStream, attr: &mut MemberAttr, errors: &mut Errors) {
    each(input, errors, |input, errors| {
        let key = MEMBER.read(input, errors)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "name" => only_once(&mut attr.name, text(&key, input)?, span, &what),
            "namespace" => only_once(&mut attr.namespace, text(&key, input)?, span, &what),
            "after" => {
                attr.after.extend(list(&key, input, errors, |input, _| before(input))?);
                Ok(())
            }
            _ => {
                flag(&key, input)?;
                only_once(&mut attr.optional_api, (), span, &what)
            }
        }
    });
}

fn before(input: ParseStream) -> syn::Result<Ident> {
    if input.peek(Ident::peek_any) {
        return input.call(Ident::parse_any);
    }
    Err(syn::Error::new(input.span(), "`after` names fields of the set: `after(config)`"))
}
