//! `Part`, and what `OwnedResource` has of it.

use super::{anonymous, is_concrete, mentions, parameters, quiet, this, write};
use crate::errors::Errors;
use crate::model;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics, Type, parse_quote};

/// Expands `#[derive(Part)]`.
pub(crate) fn part(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::part(input, &mut errors);
    let errors = errors.into_code();
    let code = match &model.of {
        Some(of) => {
            let (alias, of) = alias(input, of);
            let part = part_impl(input, &input.generics, &of, &write::statements(&model.writes));
            code!(#alias #part)
        }
        None => part_of_anything(input),
    };
    let block = anonymous(model.krate.as_ref(), &code);
    code!(#errors #block)
}

/// The type under a name of its own: a type that is not there is one error then, not one for each use.
pub(super) fn alias(input: &DeriveInput, ty: &Type) -> (TokenStream, TokenStream) {
    let all = [parameters(&input.generics), lifetimes(&input.generics)].concat();
    if mentions(ty, &all) {
        return (TokenStream::new(), ty.to_token_stream());
    }
    let name = Ident::new("__Kind", ty.span());
    (code!(type #name = #ty;), name.to_token_stream())
}

fn lifetimes(generics: &Generics) -> Vec<String> {
    generics.lifetimes().map(|parameter| parameter.lifetime.ident.to_string()).collect()
}

/// Implements `Part<of>` by these statements.
pub(super) fn part_impl(
    input: &DeriveInput,
    generics: &Generics,
    of: &TokenStream,
    statements: &TokenStream,
) -> TokenStream {
    let (ident, this, quiet) = (&input.ident, this(), quiet(generics));
    let (generics, _, wheres) = generics.split_for_impl();
    let (_, types, _) = input.generics.split_for_impl();
    code! {
        #[automatically_derived]
        #[allow(private_bounds)]
        #quiet
        impl #generics __u::Part<#of> for #ident #types #wheres {
            #[allow(unused_variables)]
            fn write(&#this, __n: &__u::Names<'_>, __at: &__u::Path<'_, #of>, __b: &mut __u::Body) {
                #statements
            }
        }
    }
}

/// Stands in where the type is missing: a part of anything, so that nothing follows.
fn part_of_anything(input: &DeriveInput) -> TokenStream {
    let mut generics = input.generics.clone();
    generics.params.push(parse_quote!(__T));
    part_impl(input, &generics, &code!(__T), &code!(let _ = (__n, __at, __b);))
}

/// Code that the compiler evaluates for every struct: `cargo check` fails where it panics. The name is printed.
pub(super) fn proof(span: proc_macro2::Span, name: &str, code: &TokenStream) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned! {span=>
        const _: () = {
            #[allow(dead_code)]
            const #name: () = #code;
        };
    }
}

/// A constant that may depend on the struct's parameters is checked where it is used.
pub(super) fn is_checked_here(input: &DeriveInput, ty: &Type) -> bool {
    is_concrete(&input.generics) || !mentions(ty, &parameters(&input.generics))
}
