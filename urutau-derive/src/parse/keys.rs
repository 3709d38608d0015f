//! `key`, `key = value` and `key(...)` within an attribute.

use super::each;
use crate::errors::Errors;
use crate::near;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token, parenthesized, token};

/// The keys that an attribute knows.
pub(crate) struct Keys {
    pub(crate) attribute: &'static str,
    pub(crate) known: &'static [&'static str],
}

impl Keys {
    /// Reads a key. One that is nearly known is reported and taken for what was meant, so that nothing follows
    /// from its being absent.
    ///
    /// # Errors
    /// When it is not known, with all that are.
    pub(crate) fn read(&self, input: ParseStream, errors: &mut Errors) -> syn::Result<Ident> {
        if !input.peek(Ident::peek_any) {
            return Err(syn::Error::new(
                input.span(),
                format!("expected a key; known here: {}", self.known.join(", ")),
            ));
        }
        let key = input.call(Ident::parse_any)?;
        let word = key.to_string();
        if self.known.contains(&word.as_str()) {
            return Ok(key);
        }
        let hint = near::hint(&word, self.known);
        let error = syn::Error::new(key.span(), format!("`#[{}(...)]` has no key `{word}`; {hint}", self.attribute));
        let Some(meant) = near::nearest(&word, self.known) else { return Err(error) };
        errors.push(error);
        Ok(Ident::new(meant, key.span()))
    }
}

fn equals(key: &Ident, want: &str, input: ParseStream) -> syn::Result<()> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), format!("`{key}` needs a value: `{key} = {want}`")));
    }
    input.parse::<Token![=]>().map(drop)
}

/// Reads `= value`.
pub(crate) fn value<T: syn::parse::Parse>(key: &Ident, input: ParseStream) -> syn::Result<T> {
    equals(key, "...", input)?;
    input.parse()
}

/// Reads `= "text"`.
pub(crate) fn text(key: &Ident, input: ParseStream) -> syn::Result<LitStr> {
    equals(key, "\"...\"", input)?;
    string(input, &format!("`{key}` takes a string: `{key} = \"...\"`"))
}

/// Reads `"text"`; `want` says so where it is something else.
pub(crate) fn string(input: ParseStream, want: &str) -> syn::Result<LitStr> {
    if input.peek(LitStr) { input.parse() } else { Err(syn::Error::new(input.span(), want)) }
}

/// Sees to it that a key has no value.
pub(crate) fn flag(key: &Ident, input: ParseStream) -> syn::Result<()> {
    if input.peek(Token![=]) || input.peek(token::Paren) {
        return Err(syn::Error::new(key.span(), format!("`{key}` takes no value; it is said or left out")));
    }
    Ok(())
}

/// Reads `= word`, one of `known`, as its place among them.
pub(crate) fn choice(key: &Ident, known: &[&str], input: ParseStream) -> syn::Result<usize> {
    let all = || format!("`{key}` is one of: {}", known.join(", "));
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), all()));
    }
    input.parse::<Token![=]>()?;
    if !input.peek(Ident::peek_any) {
        return Err(syn::Error::new(input.span(), all()));
    }
    let word = input.call(Ident::parse_any)?;
    let at = known.iter().position(|known| word == known);
    at.ok_or_else(|| {
        let hint = near::hint(&word.to_string(), known);
        syn::Error::new(word.span(), format!("`{key}` can't be `{word}`; {hint}"))
    })
}

/// Reads `(item, ...)`. An item that can't be read is reported, and those behind it are still read.
pub(crate) fn list<T>(
    key: &Ident,
    input: ParseStream,
    errors: &mut Errors,
    mut read: impl FnMut(ParseStream, &mut Errors) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(key.span(), format!("`{key}` needs a list: `{key}(...)`")));
    }
    let content;
    parenthesized!(content in input);
    let mut items = Vec::new();
    each(&content, errors, |input, errors| {
        items.push(read(input, errors)?);
        Ok(())
    });
    Ok(items)
}

/// Reads `"key" = "value"`.
pub(crate) fn label(input: ParseStream) -> syn::Result<(LitStr, LitStr)> {
    let form = "a label is a key and a value: `\"app.kubernetes.io/part-of\" = \"urutau\"`";
    let key = string(input, form)?;
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), form));
    }
    input.parse::<Token![=]>()?;
    Ok((key, string(input, form)?))
}

/// Takes a value for a key that may be said once.
///
/// # Errors
/// When there is one already.
pub(crate) fn only_once<T>(slot: &mut Option<T>, value: T, span: Span, what: &str) -> syn::Result<()> {
    if slot.is_some() {
        return Err(syn::Error::new(span, format!("{what} is said twice; keep one")));
    }
    *slot = Some(value);
    Ok(())
}
