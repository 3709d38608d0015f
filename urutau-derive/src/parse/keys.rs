//! `key`, `key = value` and `key(...)` within an attribute.

use crate::near;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, Token, parenthesized, token};

/// The keys that an attribute knows.
pub(crate) struct Keys {
    pub(crate) attribute: &'static str,
    pub(crate) known: &'static [&'static str],
}

impl Keys {
    /// Reads a key.
    ///
    /// # Errors
    /// When it is not known, with the nearest one that is.
    pub(crate) fn read(&self, input: ParseStream) -> syn::Result<Ident> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(format!("expected a key; known here: {}", self.known.join(", "))));
        }
        let key = input.call(Ident::parse_any)?;
        let word = key.to_string();
        if self.known.contains(&word.as_str()) {
            return Ok(key);
        }
        let hint = near::hint(&word, self.known);
        Err(syn::Error::new(key.span(), format!("`#[{}(...)]` has no key `{word}`; {hint}", self.attribute)))
    }
}

/// Reads `= value`.
pub(crate) fn value<T: syn::parse::Parse>(key: &Ident, input: ParseStream) -> syn::Result<T> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), format!("`{key}` needs a value: `{key} = ...`")));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reads `= word`, one of `known`, as its place among them.
pub(crate) fn choice(key: &Ident, known: &[&str], input: ParseStream) -> syn::Result<usize> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(key.span(), format!("`{key}` needs one of: {}", known.join(", "))));
    }
    input.parse::<Token![=]>()?;
    let word = input.call(Ident::parse_any)?;
    let at = known.iter().position(|known| word == known);
    at.ok_or_else(|| {
        let hint = near::hint(&word.to_string(), known);
        syn::Error::new(word.span(), format!("`{key}` can't be `{word}`; {hint}"))
    })
}

/// Reads `(...)`.
pub(crate) fn list<'a>(key: &Ident, input: &ParseStream<'a>) -> syn::Result<syn::parse::ParseBuffer<'a>> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(key.span(), format!("`{key}` needs a list: `{key}(...)`")));
    }
    let content;
    parenthesized!(content in input);
    Ok(content)
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
