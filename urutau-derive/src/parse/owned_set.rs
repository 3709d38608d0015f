//! `#[owned_set(...)]` and `#[member(...)]`.

use super::keys::{Keys, list, only_once, value};
use super::each;
use crate::errors::Errors;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Token, Type};

const SET: Keys =
    Keys { attribute: "owned_set", known: &["owner", "manager", "name", "labels", "reads", "crate"] };
const MEMBER: Keys = Keys { attribute: "member", known: &["name", "namespace", "after", "optional_api"] };

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
        let key = SET.read(input)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "owner" => only_once(&mut attr.owner, value(&key, input)?, span, &what),
            "manager" => only_once(&mut attr.manager, value(&key, input)?, span, &what),
            "name" => only_once(&mut attr.name, value(&key, input)?, span, &what),
            "labels" => {
                let content = list(&key, &input)?;
                each(&content, errors, |input, _| {
                    let label: LitStr = input.parse()?;
                    input.parse::<Token![=]>()?;
                    attr.labels.push((label, input.parse()?));
                    Ok(())
                });
                Ok(())
            }
            "reads" => {
                let content = list(&key, &input)?;
                attr.reads.extend(Punctuated::<Type, Token![,]>::parse_terminated(&content)?);
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
    each(input, errors, |input, _| {
        let key = MEMBER.read(input)?;
        let span = key.span();
        let what = format!("`{key}`");
        match key.to_string().as_str() {
            "name" => only_once(&mut attr.name, value(&key, input)?, span, &what),
            "namespace" => only_once(&mut attr.namespace, value(&key, input)?, span, &what),
            "after" => {
                let content = list(&key, &input)?;
                attr.after.extend(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?);
                Ok(())
            }
            _ => only_once(&mut attr.optional_api, (), span, &what),
        }
    });
}
