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
    /// A path that ends in a `.`.
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
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Err(input.error("a value is missing behind `=`"));
            }
            items.push(Item::Value(path, input.parse()?));
        } else {
            let message = format!("`{}` needs a value, `= ...`, or a block, `{{ ... }}`", path.text());
            let span = path.span();
            items.push(Item::Unfinished(path));
            return Err(syn::Error::new(span, message));
        }
        Ok(())
    });
    items
}
