//! Code, written from checked models. Data and calls are written, logic is not: that lives in `urutau-core`.
//!
//! Own identifiers start with `__`; only the author's tokens keep their spans, so that an error stands at the
//! token it speaks of.

/// Code whose own identifiers no other can meet.
macro_rules! code {
    ($($tokens:tt)*) => { ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*) };
}

mod kind;
mod owned_resource;
mod owned_set;
mod rbac_rules;
mod template;
mod write;

#[rustfmt::skip]
mod json_names;

pub(crate) use kind::kind;
pub(crate) use owned_resource::{owned_resource, part};
pub(crate) use owned_set::owned_set;
pub(crate) use rbac_rules::rbac_rules;

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Generics, Path, parse_quote};

/// `self`, as the author's expressions see it.
fn this() -> Ident {
    Ident::new("self", Span::call_site())
}

/// Puts code into a block of its own, in which `__u` is the runtime half.
fn anonymous(krate: Option<&Path>, code: &TokenStream) -> TokenStream {
    let krate = krate.cloned().unwrap_or_else(|| parse_quote!(::urutau_core));
    code! {
        const _: () = {
            #[allow(unused_imports)]
            use #krate::__private::{self as __u, Given as _, Plain as _, SetValue as _};
            #code
        };
    }
}

/// Whether constants of the struct can be evaluated without knowing its parameters.
fn is_concrete(generics: &Generics) -> bool {
    generics.type_params().next().is_none() && generics.const_params().next().is_none()
}
