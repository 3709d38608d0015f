//! Constants in blocks: `path = value, path { ... }`.

use super::{FieldPath, each};
use crate::errors::Errors;
use syn::parse::ParseStream;
use syn::{Expr, Token, braced, token};

/// One constant, or a block of them.
pub(crate) enum Item {
    /// `path = value`.
    Value(FieldPath, Box<Expr>),
    /// `path { ... }`; empty: present, and empty.
    Block(FieldPath, Vec<Item>),
    /// A path that ends in a `.`, or that has no value.
    Unfinished(FieldPath),
}

/// Reads the items of a block.
pub(crate) fn items(input: ParseStream, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    each(input, errors, |input, errors| {
        let path = FieldPath::read(input, errors)?;
        if path.unfinished {
            items.push(Item::Unfinished(path));
        } else if input.peek(token::Brace) {
            let content;
            braced!(content in input);
            items.push(Item::Block(path, self::items(&content, errors)));
        } else {
            match value(&path, input) {
                Ok(value) => items.push(Item::Value(path, Box::new(value))),
                Err(error) => {
                    items.push(Item::Unfinished(path));
                    return Err(error);
                }
            }
        }
        Ok(())
    });
    items
}

fn value(path: &FieldPath, input: ParseStream) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        let message = format!("`{}` needs a value, `= ...`, or a block, `{{ ... }}`", path.text());
        return Err(syn::Error::new(path.span(), message));
    }
    let equals: Token![=] = input.parse()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new(equals.span, "a value is missing behind the `=`"));
    }
    input.parse()
}
