//! Code, written from checked models. Data and calls are written, logic is not: that lives in `urutau-core`.
//!
//! Own identifiers start with `__`; only the author's tokens keep their spans, so that an error stands at the
//! token it speaks of.

/// Code whose own identifiers no other can meet.
macro_rules! code {
    ($($tokens:tt)*) => { ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*) };
}

mod allows;
mod kind;
mod owned_resource;
mod owned_set;
mod part;
mod rbac_rules;
mod template;
#[cfg(test)]
mod tests;
mod write;

#[rustfmt::skip]
mod json_names;

pub(crate) use kind::kind;
pub(crate) use owned_resource::owned_resource;
pub(crate) use owned_set::owned_set;
pub(crate) use part::part;
pub(crate) use rbac_rules::rbac_rules;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Path, parse_quote};

/// `self`, as the author's expressions see it.
fn this() -> Ident {
    Ident::new("self", Span::call_site())
}

/// A span at this place whose identifiers no other can meet.
fn own(at: Span) -> Span {
    Span::mixed_site().located_at(at)
}

/// Puts code into a block of its own, in which `__u` is the runtime half.
fn anonymous(krate: Option<&Path>, code: &TokenStream) -> TokenStream {
    let krate = krate.cloned().unwrap_or_else(|| parse_quote!(::urutau_core));
    code! {
        const _: () = {
            use #krate::__private as __u;
            #[allow(unused_imports)]
            use __u::{Given as _, Plain as _};
            #code
        };
    }
}

/// Whether constants of the struct can be evaluated without knowing its parameters.
fn is_concrete(generics: &Generics) -> bool {
    parameters(generics).is_empty()
}

/// Keeps an impl out of the lists of what else implements a trait. One with parameters is not: of its bounds the
/// compiler should speak.
fn quiet(generics: &Generics) -> Option<TokenStream> {
    is_concrete(generics).then(|| code!(#[diagnostic::do_not_recommend]))
}

/// The stand-in after a mistake of ours. What could be read is still looked at, so that other mistakes are told at
/// once.
fn stand_in(looked_at: &[TokenStream], unknown: &TokenStream) -> TokenStream {
    code!({
        let _ = (#(#looked_at,)*);
        #unknown
    })
}

/// The parameters on which a type or a constant may depend.
fn parameters(generics: &Generics) -> Vec<String> {
    let types = generics.type_params().map(|parameter| parameter.ident.to_string());
    types.chain(generics.const_params().map(|parameter| parameter.ident.to_string())).collect()
}

/// Whether any of these words stands in the code.
fn mentions(code: &impl ToTokens, words: &[String]) -> bool {
    code.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => words.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(&group.stream(), words),
        _ => false,
    })
}
