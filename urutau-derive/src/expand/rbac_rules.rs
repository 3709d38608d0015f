//! `RbacRules`.

use super::{anonymous, is_concrete, template, this};
use crate::errors::Errors;
use crate::model::{self, Rule, RuleSet};
use crate::parse::{Resource, Template};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::DeriveInput;

/// Expands `#[derive(RbacRules)]`.
pub(crate) fn rbac_rules(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::rule_set(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let code = if failed {
        let nothing = (code!(__u::Granted::Nothing), code!(::std::string::String::new()));
        rule_set(input, &code!(&__u::Rules::Unknown), &nothing.0, &nothing.1)
    } else {
        let rules = rules(&model);
        let set = rule_set(input, &rules, &granted(&model), &texts(&model));
        let proofs = proofs(input, &model);
        code!(#set #proofs)
    };
    let block = anonymous(model.attr.krate.as_ref(), &code);
    code!(#errors #block)
}

fn rule_set(input: &DeriveInput, rules: &TokenStream, granted: &TokenStream, texts: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (name, this) = (ident.to_string(), this());
    let (generics, types, wheres) = input.generics.split_for_impl();
    code! {
        #[automatically_derived]
        impl #generics __u::RuleSet for #ident #types #wheres {
            const NAME: &'static str = #name;
            const RULES: &'static __u::Rules = #rules;
            fn granted(&#this, __i: usize) -> __u::Granted {
                #granted
            }
            fn text(&#this, __f: &str) -> ::std::string::String {
                #texts
            }
        }
    }
}

fn rules(model: &RuleSet) -> TokenStream {
    let leaf = model.rules.iter().flat_map(|rule| rule.attr.resources.iter().map(|resource| constant(rule, resource)));
    let leaf = code!(&__u::Rules::Leaf(&[#(#leaf),*]));
    if model.attr.manages.is_empty() {
        return leaf;
    }
    let managed = model.attr.manages.iter().map(|set| {
        let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(set));
        quote_spanned!(span=> &__u::Rules::Of(<#set as __u::Member>::NODE))
    });
    code!(&__u::Rules::Join(&[#leaf, #(#managed),*]))
}

fn constant(rule: &Rule, resource: &Resource) -> TokenStream {
    let (verbs, to_grant) = (&rule.attr.verbs, rule.attr.to_grant);
    let verbs = code!(__u::Verbs::of(&[#(#verbs),*]));
    let only = match &rule.names {
        None => code!(__u::Only::Any),
        Some(names) => {
            let names = names.iter().map(template::constant);
            code!(__u::Only::Names(&[#(#names),*]))
        }
    };
    let only = match &rule.field {
        None => only,
        Some((_, ty)) => {
            let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(ty));
            quote_spanned! {span=>
                match <#ty as __u::RuleField>::ONLY {
                    ::core::option::Option::Some(__only) => __only,
                    ::core::option::Option::None => #only,
                }
            }
        }
    };
    match resource {
        Resource::Typed { kind, sub } => {
            let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(&**kind));
            quote_spanned!(span=> __u::Rule::on::<#kind>(#sub, #verbs, #only, #to_grant))
        }
        Resource::Named { group, resource, sub } => {
            code!(__u::Rule::named(#group, #resource, #sub, #verbs, #only, #to_grant))
        }
        Resource::Urls(urls) => code!(__u::Rule::urls(&[#(#urls),*], #verbs, #to_grant)),
    }
}

/// Which rules a value grants: those without a field always, the others as their field says.
fn granted(model: &RuleSet) -> TokenStream {
    let this = this();
    let mut arms = Vec::new();
    let mut at = 0_usize;
    for rule in &model.rules {
        for _ in &rule.attr.resources {
            if let Some((field, _)) = &rule.field {
                arms.push(code!(#at => __u::RuleField::granted(&#this.#field),));
            }
            at += 1;
        }
    }
    code! {
        match __i {
            #(#arms)*
            _ => __u::Granted::AsDeclared,
        }
    }
}

fn texts(model: &RuleSet) -> TokenStream {
    let span = model.rules.iter().flat_map(|rule| rule.names.iter().flatten()).map(|name: &Template| name.literal.span());
    let span = span.into_iter().next().unwrap_or_else(Span::call_site);
    let arms = model.texts.iter().map(|field| {
        let value = template::own_field(field, span);
        code!(#field => ::std::string::ToString::to_string(&#value),)
    });
    code! {
        match __f {
            #(#arms)*
            _ => ::std::string::String::new(),
        }
    }
}

/// One proof for each managed set, at its name.
fn proofs(input: &DeriveInput, model: &RuleSet) -> TokenStream {
    if !is_concrete(&input.generics) {
        return TokenStream::new();
    }
    let (ident, name) = (&input.ident, input.ident.to_string());
    let proofs = model.attr.manages.iter().map(|set| {
        let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(set));
        quote_spanned! {span=>
            const _: () = {
                const EVERY_GRANT_IS_HELD: () =
                    __u::grants_are_held(#name, <#ident as __u::RuleSet>::RULES, <#set as __u::Member>::NODE);
                EVERY_GRANT_IS_HELD
            };
        }
    });
    code!(#(#proofs)*)
}
