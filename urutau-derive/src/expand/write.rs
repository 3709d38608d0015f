//! Writing: one statement block for each constant, field and part.

use super::json_names::json_name;
use super::{own, template, this};
use crate::model::{Write, Writes};
use crate::parse::{FieldPath, Segment, Template};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

/// The statements that write everything. `__at` is the path of the whole, `__b` the body, `__n` the names.
pub(super) fn statements(writes: &Writes) -> TokenStream {
    let written = writes.list.iter().map(|write| {
        let by = template::writer(write);
        let statement = statement(write, writes);
        code! {
            __b.by(#by);
            #statement
        }
    });
    code! {
        let __p = __at;
        #(#written)*
    }
}

fn statement(write: &Write, writes: &Writes) -> TokenStream {
    match write {
        Write::Value(path, value) => {
            let steps = steps(path, writes);
            let span = own(value.span());
            let value = expression(value, writes);
            quote_spanned!(span=> { #steps __u::Path::set(&__p, __b, #value); })
        }
        Write::Block(path, inner) if inner.is_empty() => {
            let steps = steps(path, writes);
            code!({ #steps __u::Path::present(&__p, __b); })
        }
        Write::Block(path, inner) => {
            let steps = steps(path, writes);
            let inner = inner.iter().map(|write| statement(write, writes));
            code!({ #steps #(#inner)* })
        }
        Write::Unfinished(path) => {
            let steps = steps(path, writes);
            code!({ #steps let _ = &__p; })
        }
        Write::Field(path, name, span) => {
            let steps = steps(path, writes);
            let (span, this) = (own(*span), this());
            let field = quote_spanned!(span=> &#this.#name);
            quote_spanned! {span=>
                if let ::core::option::Option::Some(__v) = __u::Val(#field).__given() {
                    #steps
                    __u::Path::set(&__p, __b, __v);
                }
            }
        }
        Write::Part(path, name, span) => {
            let steps = steps(path, writes);
            let (span, this) = (own(*span), this());
            let field = quote_spanned!(span=> &#this.#name);
            quote_spanned! {span=>
                if let ::core::option::Option::Some(__v) = __u::Val(#field).__given() {
                    #steps
                    __u::Path::part(&__p, __v, __n, __b);
                }
            }
        }
    }
}

/// One `let` for each step; each borrows the one before.
fn steps(path: &FieldPath, writes: &Writes) -> TokenStream {
    let steps = path.segments.iter().map(|segment| {
        let span = own(segment.span());
        match segment {
            Segment::Field(ident) => {
                let json = json_name(&ident.unraw().to_string());
                quote_spanned!(span=> let __p = __u::Path::field(&__p, #json, |__o| __u::At(&mut (*__o).#ident).__open());)
            }
            Segment::Key(_, keys) => {
                let keys: Vec<_> = keys.iter().map(|key| expression(key, writes)).collect();
                match keys.as_slice() {
                    [key] => quote_spanned!(span=> let __p = __u::entry(&__p, #key);),
                    keys => quote_spanned!(span=> let __p = __u::entry(&__p, (#(#keys),*));),
                }
            }
            Segment::NamedKey(_, name, key) => {
                let name = json_name(&name.unraw().to_string());
                let key = expression(key, writes);
                quote_spanned!(span=> let __p = __u::entry_by(&__p, #name, #key);)
            }
        }
    });
    code!(#(#steps)*)
}

/// An expression, with the blanks of its strings filled in.
fn expression(value: &Expr, writes: &Writes) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => match writes.templates.get(&text.value()) {
            Some(template) => {
                let mut template = template.clone();
                template.literal = text.clone();
                template::value(&template)
            }
            None => text.to_token_stream(),
        },
        Expr::Array(array) if array.attrs.is_empty() => {
            let blanks = array.elems.iter().any(|value| has_blanks(value, writes));
            let elements = array.elems.iter().map(|value| {
                let element = expression(value, writes);
                if blanks { code!(::std::string::ToString::to_string(&#element)) } else { element }
            });
            quote_spanned!(array.bracket_token.span.join()=> [#(#elements),*])
        }
        other => other.to_token_stream(),
    }
}

fn has_blanks(value: &Expr, writes: &Writes) -> bool {
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value else { return false };
    writes.templates.get(&text.value()).is_some_and(Template::is_blank)
}
