//! Attributes, read into structs that keep their spans. Every mistake is collected; what could be read is kept.

mod item;
mod keys;
mod kind;
mod owned;
mod owned_set;
mod path;
mod resource;
mod rule;
mod template;
#[cfg(test)]
mod tests;

pub(crate) use item::{Item, items};
pub(crate) use kind::{KubeAttr, kube};
pub(crate) use owned::{OwnedAttr, PartAttr, Ready, owned, part};
pub(crate) use owned_set::{MemberAttr, SetAttr, member, owned_set};
pub(crate) use path::{FieldPath, Segment, paths};
pub(crate) use resource::Resource;
pub(crate) use rule::{RbacAttr, RuleAttr, rbac, rules};
pub(crate) use template::{Piece, Template, field_text};

use crate::errors::Errors;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Token};

/// Where a message about a whole attribute stands: at its name.
pub(crate) fn path_span(attr: &Attribute) -> Span {
    attr.path().span()
}

/// Reads the inside of `#[name(...)]`. What `read` leaves unread is skipped: it was reported there.
pub(crate) fn inside(attr: &Attribute, errors: &mut Errors, mut read: impl FnMut(ParseStream, &mut Errors)) {
    let Meta::List(list) = &attr.meta else {
        let name = attr.path().get_ident().map(ToString::to_string).unwrap_or_default();
        return errors.at(path_span(attr), format!("`#[{name}]` says what it means in parentheses: `#[{name}(...)]`"));
    };
    let result = list.parse_args_with(|input: ParseStream| {
        read(input, errors);
        input.parse::<TokenStream>().map(drop)
    });
    errors.keep(result);
}

/// Reads a list with commas; after a mistake it goes on behind the next comma. Nothing is left unread.
pub(crate) fn each(
    input: ParseStream,
    errors: &mut Errors,
    mut read: impl FnMut(ParseStream, &mut Errors) -> syn::Result<()>,
) {
    while !input.is_empty() {
        match read(input, errors) {
            Ok(()) if !input.is_empty() && !input.peek(Token![,]) => {
                errors.at(input.span(), "expected `,`");
            }
            Ok(()) => {}
            Err(error) => errors.push(error),
        }
        skip_to_comma(input);
        let _ = input.parse::<Token![,]>();
    }
}

/// Goes to the next comma, or to the end.
fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            break;
        }
    }
}

#[cfg(test)]
pub(crate) mod known {
    //! The keys of each attribute.

    use super::{kind, owned, owned_set, rule};

    pub(crate) const KIND: &[&str] = kind::KIND.known;
    pub(crate) const OWNED: &[&str] = owned::OWNED.known;
    pub(crate) const PART: &[&str] = owned::PART.known;
    pub(crate) const SET: &[&str] = owned_set::SET.known;
    pub(crate) const MEMBER: &[&str] = owned_set::MEMBER.known;
    pub(crate) const RULE: &[&str] = rule::RULE.known;
    pub(crate) const RBAC: &[&str] = rule::RBAC.known;
}
