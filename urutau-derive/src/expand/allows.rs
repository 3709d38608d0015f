//! What a rule set allows, as impls: a call asks for them.

use super::{mentions, own, parameters};
use crate::model::RuleSet;
use crate::parse::Resource;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{DeriveInput, Type, parse_quote_spanned};

/// The verbs that a call can have, and what they are called in the names of the traits.
const VERBS: [(&str, &str); 8] = [
    ("get", "Get"),
    ("list", "List"),
    ("watch", "Watch"),
    ("create", "Create"),
    ("update", "Update"),
    ("patch", "Patch"),
    ("delete", "Delete"),
    ("deletecollection", "DeleteCollection"),
];
/// The subresources that there are calls for, and their verbs.
const SUBRESOURCES: [(&str, &str); 2] = [("status", "Status"), ("scale", "Scale")];
const OF_SUBRESOURCES: [&str; 3] = ["get", "update", "patch"];

/// One impl for each verb and kind on which a call may rest. After a mistake of ours every call is possible.
pub(super) fn allows(input: &DeriveInput, model: &RuleSet, failed: bool) -> TokenStream {
    if failed {
        return everything(input);
    }
    let ident = &input.ident;
    let (generics, types, wheres) = input.generics.split_for_impl();
    let mut said = BTreeSet::new();
    let mut all: Vec<(&Type, Ident)> = Vec::new();
    for rule in model.rules.iter().filter(|rule| !rule.attr.to_grant) {
        for resource in &rule.attr.resources {
            let Resource::Typed { kind, sub } = resource else { continue };
            for (verb, _) in VERBS {
                let gives = rule.attr.verbs.iter().any(|said| said.word == verb || said.word == "*");
                let Some(allows) = gives.then(|| trait_of(verb, sub)).flatten() else { continue };
                if said.insert((kind.to_token_stream().to_string(), allows.to_string())) {
                    all.push((kind, allows));
                }
            }
        }
    }
    let parameters = parameters(&input.generics);
    let impls = all.iter().filter_map(|(kind, allows)| {
        // A parameter may be any other kind that there is a rule on, and then there would be two impls.
        let has_rival = all.iter().filter(|(_, other)| other == allows).count() > 1;
        if has_rival && mentions(kind, &parameters) {
            return None;
        }
        // Two spellings of one kind are two impls as well: that is told at the second. Elsewhere a misspelt kind would be
        // told twice.
        let span = if has_rival { own(kind.span()) } else { Span::mixed_site() };
        Some(quote_spanned! {span=>
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #generics __u::#allows<#kind> for #ident #types #wheres {}
        })
    });
    code!(#(#impls)*)
}

/// The trait by which a call asks for this verb; some have no call.
fn trait_of(verb: &str, sub: &str) -> Option<Ident> {
    let (_, of_verb) = VERBS.iter().find(|(known, _)| *known == verb)?;
    let of_sub = match sub {
        "" => "",
        _ => SUBRESOURCES.iter().find(|(known, _)| *known == sub && OF_SUBRESOURCES.contains(&verb))?.1,
    };
    Some(Ident::new(&format!("Allows{of_verb}{of_sub}"), Span::mixed_site()))
}

fn everything(input: &DeriveInput) -> TokenStream {
    let (ident, types) = (&input.ident, input.generics.split_for_impl().1);
    let mut generics = input.generics.clone();
    generics.params.push(parse_quote_spanned!(Span::mixed_site()=> __Kind));
    let (generics, _, wheres) = generics.split_for_impl();
    let subresources = SUBRESOURCES.iter().map(|(sub, _)| *sub).chain([""]);
    let traits = subresources.flat_map(|sub| VERBS.iter().filter_map(move |(verb, _)| trait_of(verb, sub)));
    code! {
        #(
            #[automatically_derived]
            impl #generics __u::#traits<__Kind> for #ident #types #wheres {}
        )*
    }
}
