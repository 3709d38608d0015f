//! Strings with blanks, as constants and as values.

use super::{own, this};
use crate::model::Write;
use crate::parse::{Piece, Template, field_text};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Member;
use syn::spanned::Spanned;

/// The template as a constant.
pub(super) fn constant(template: &Template) -> TokenStream {
    let pieces = template.pieces.iter().map(|piece| match piece {
        Piece::Owner => code!(__u::Piece::Owner),
        Piece::Namespace => code!(__u::Piece::Namespace),
        Piece::Name => code!(__u::Piece::Base),
        Piece::Key => code!(__u::Piece::Key),
        Piece::Field(field) => {
            let field = field_text(field);
            code!(__u::Piece::Field(#field))
        }
        Piece::Text(text) => code!(__u::Piece::Text(#text)),
    });
    code!(&[#(#pieces),*])
}

/// An optional template as a constant.
pub(super) fn optional(template: Option<&Template>) -> TokenStream {
    template
        .map(constant)
        .map_or_else(|| code!(::core::option::Option::None), |constant| code!(::core::option::Option::Some(#constant)))
}

/// The text of a field: an error of it stands at the field.
fn text(field: &Member) -> TokenStream {
    let this = this();
    quote_spanned!(own(field.span())=> __u::text(&#this.#field))
}

/// The string as a value: text as it stands, or put together from the names and the fields.
pub(super) fn value(template: &Template) -> TokenStream {
    let span = template.literal.span();
    match template.pieces.as_slice() {
        [] => literal("", span),
        [Piece::Text(text)] => literal(text, span),
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
                    Piece::Field(field) => text(field),
                });
            }
            quote_spanned!(own(span)=> ::std::format!(#form, #(#values),*))
        }
    }
}

/// Text at the string that it was read from.
fn literal(text: &str, span: Span) -> TokenStream {
    let mut literal = Literal::string(text);
    literal.set_span(span);
    literal.into_token_stream()
}

/// `|field| text`: the text of each of these fields.
pub(super) fn field_texts<'a>(fields: impl Iterator<Item = &'a Member>) -> TokenStream {
    let texts = match_field(fields);
    code!(&|__f: &::core::primitive::str| #texts)
}

/// The text of the field that `__f` names.
pub(super) fn match_field<'a>(fields: impl Iterator<Item = &'a Member>) -> TokenStream {
    let arms = fields.map(|field| {
        let (name, text) = (field_text(field), text(field));
        code!(#name => #text,)
    });
    code! {
        match __f {
            #(#arms)*
            _ => ::std::string::String::new(),
        }
    }
}

/// What names the writer of a value: the field, or the attribute.
pub(super) fn writer(write: &Write) -> String {
    match write {
        Write::Value(path, _) | Write::Block(path, _) | Write::Unfinished(path) => format!("#[set({})]", path.text()),
        Write::Field(_, name, _) | Write::Part(_, name, _) => field_text(name),
    }
}
