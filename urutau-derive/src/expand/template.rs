//! Strings with blanks, as constants and as values.

use crate::model::Write;
use crate::parse::{Piece, Template};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Ident, Index};

/// The template as a constant.
pub(super) fn constant(template: &Template) -> TokenStream {
    let pieces = template.pieces.iter().map(|piece| match piece {
        Piece::Owner => code!(__u::Piece::Owner),
        Piece::Namespace => code!(__u::Piece::Namespace),
        Piece::Name => code!(__u::Piece::Base),
        Piece::Key => code!(__u::Piece::Key),
        Piece::Field(field) => code!(__u::Piece::Field(#field)),
        Piece::Text(text) => code!(__u::Piece::Text(#text)),
    });
    code!(&[#(#pieces),*])
}

/// An optional template as a constant.
pub(super) fn optional(template: Option<&Template>) -> TokenStream {
    match template {
        Some(template) => {
            let constant = constant(template);
            code!(::core::option::Option::Some(#constant))
        }
        None => code!(::core::option::Option::None),
    }
}

/// `self.field`, for a name as a blank has it.
pub(super) fn own_field(name: &str, span: Span) -> TokenStream {
    let span = Span::call_site().located_at(span);
    match name.parse::<usize>() {
        Ok(index) => {
            let index = Index { index: u32::try_from(index).unwrap_or_default(), span };
            quote_spanned!(span=> self.#index)
        }
        Err(_) => {
            let ident = syn::parse_str::<Ident>(name).map_or_else(
                |_| Ident::new_raw(name, span),
                |mut ident| {
                    ident.set_span(span);
                    ident
                },
            );
            quote_spanned!(span=> self.#ident)
        }
    }
}

/// The string as a value: text as it stands, or put together from the names and the fields.
pub(super) fn value(template: &Template) -> TokenStream {
    let span = template.literal.span();
    match template.pieces.as_slice() {
        [] => quote_spanned!(span=> ""),
        [Piece::Text(text)] => quote_spanned!(span=> #text),
        pieces => {
            let (mut form, mut values) = (String::new(), Vec::new());
            for piece in pieces {
                form.push_str("{}");
                values.push(match piece {
                    Piece::Owner => code!(__n.owner),
                    Piece::Namespace => code!(__n.namespace),
                    Piece::Name => code!(__n.name),
                    Piece::Key => code!(__n.key),
                    Piece::Text(text) => code!(#text),
                    Piece::Field(field) => {
                        let field = own_field(field, span);
                        code!(&#field)
                    }
                });
            }
            quote_spanned!(Span::mixed_site().located_at(span)=> ::std::format!(#form, #(#values),*))
        }
    }
}

/// `|field| text`: the text of each of these fields.
pub(super) fn field_texts<'a>(fields: impl Iterator<Item = &'a String>, span: Span) -> TokenStream {
    let arms = fields.map(|field| {
        let value = own_field(field, span);
        code!(#field => ::std::string::ToString::to_string(&#value),)
    });
    code! {
        &|__f: &str| match __f {
            #(#arms)*
            _ => ::std::string::String::new(),
        }
    }
}

/// The first token of what is written, to name its writer.
pub(super) fn writer(write: &Write) -> String {
    match write {
        Write::Value(path, _) | Write::Block(path, _) | Write::Unfinished(path) => format!("#[set({})]", path.text()),
        Write::Field(_, name, _) | Write::Part(_, name, _) => match name {
            syn::Member::Named(ident) => ident.to_string(),
            syn::Member::Unnamed(index) => index.index.to_string(),
        },
    }
}
