//! Attributes, read into structs that keep their spans. Every mistake is collected; what could be read is kept.

mod item;
mod keys;
mod kind;
mod owned;
mod owned_set;
mod path;
mod rule;
mod template;

pub(crate) use item::{Item, items};
pub(crate) use kind::kube;
pub(crate) use owned::{OwnedAttr, PartAttr, Ready, owned, part};
pub(crate) use owned_set::{MemberAttr, SetAttr, member, owned_set};
pub(crate) use path::{FieldPath, Segment, paths};
pub(crate) use rule::{RbacAttr, Resource, RuleAttr, rbac, rules};
pub(crate) use template::{Piece, Template};

use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Attribute, Token};

/// Reads the inside of `#[name(...)]`. What `read` leaves unread is skipped: it was reported there.
pub(crate) fn inside(attr: &Attribute, errors: &mut Errors, mut read: impl FnMut(ParseStream, &mut Errors)) {
    let list = match attr.meta.require_list() {
        Ok(list) => list,
        Err(error) => return errors.push(error),
    };
    let result = list.parse_args_with(|input: ParseStream| {
        read(input, errors);
        input.parse::<TokenStream>().map(drop)
    });
    errors.keep(result);
}

/// Reads a list with commas; after a mistake it goes on behind the next comma.
pub(crate) fn each(
    input: ParseStream,
    errors: &mut Errors,
    mut read: impl FnMut(ParseStream, &mut Errors) -> syn::Result<()>,
) {
    while !input.is_empty() {
        let failed = match read(input, errors) {
            Ok(()) => false,
            Err(error) => {
                errors.push(error);
                true
            }
        };
        if input.is_empty() {
            break;
        }
        if !failed && !input.peek(Token![,]) {
            errors.push(input.error("expected `,`"));
        }
        skip_to_comma(input);
    }
}

/// Goes behind the next comma, or to the end.
fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() {
        match input.parse::<TokenTree>() {
            Ok(TokenTree::Punct(punct)) if punct.as_char() == ',' => break,
            Ok(_) => {}
            Err(_) => break,
        }
    }
}
