//! `RbacRules`.

use super::allows;
use super::part::proof;
use super::{anonymous, is_concrete, own, quiet, stand_in, template, this};
use crate::errors::Errors;
use crate::model::{self, Rule, RuleSet};
use crate::parse::Resource;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::DeriveInput;
use syn::spanned::Spanned;

/// Expands `#[derive(RbacRules)]`.
pub(crate) fn rbac_rules(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::rule_set(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let rules = if failed { unknown(&model) } else { rules(&model) };
    let set = rule_set(input, &rules, &granted(&model), &template::match_field(model.texts.values()));
    let proofs = (!failed && is_concrete(&input.generics)).then(|| proofs(input, &model));
    let allows = allows::allows(input, &model, failed);
    let block = anonymous(model.attr.krate.as_ref(), &code!(#set #allows #proofs));
    code!(#errors #block)
}

fn rule_set(input: &DeriveInput, rules: &TokenStream, granted: &TokenStream, texts: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (name, this, quiet) = (ident.to_string(), this(), quiet(&input.generics));
    let (generics, types, wheres) = input.generics.split_for_impl();
    code! {
        #[automatically_derived]
        #quiet
        impl #generics __u::RuleSet for #ident #types #wheres {
            const NAME: &'static ::core::primitive::str = #name;
            const RULES: &'static __u::Rules = #rules;
            fn granted(&#this, __i: ::core::primitive::usize) -> __u::Granted {
                #granted
            }
            fn text(&#this, __f: &::core::primitive::str) -> ::std::string::String {
                #texts
            }
        }
    }
}

fn leaves(model: &RuleSet) -> Vec<TokenStream> {
    model.rules.iter().flat_map(|rule| rule.attr.resources.iter().map(|resource| constant(rule, resource))).collect()
}

fn unknown(model: &RuleSet) -> TokenStream {
    let mut looked_at = leaves(model);
    looked_at.extend(model.attr.manages.iter().map(|set| code!(<#set as __u::Member>::NODE)));
    stand_in(&looked_at, &code!(&__u::Rules::Unknown))
}

fn rules(model: &RuleSet) -> TokenStream {
    let leaf = leaves(model);
    let leaf = code!(&__u::Rules::Leaf(&[#(#leaf),*]));
    if model.attr.manages.is_empty() {
        return leaf;
    }
    let managed = model.attr.manages.iter().map(|set| code!(&__u::Rules::Of(<#set as __u::Member>::NODE)));
    code!(&__u::Rules::Join(&[#leaf, #(#managed),*]))
}

fn constant(rule: &Rule, resource: &Resource) -> TokenStream {
    let (verbs, to_grant) = (rule.attr.verbs.iter().map(|verb| &verb.word), rule.attr.to_grant);
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
            code! {
                match <#ty as __u::RuleField>::ONLY {
                    ::core::option::Option::Some(__only) => __only,
                    ::core::option::Option::None => #only,
                }
            }
        }
    };
    match resource {
        Resource::Typed { kind, sub } => {
            quote_spanned!(own(kind.span())=> __u::Rule::on::<#kind>(#sub, #verbs, #only, #to_grant))
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
            if let Some((field, ty)) = &rule.field {
                arms.push(code!(#at => <#ty as __u::RuleField>::granted(&#this.#field),));
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

/// One proof for each managed set, at its name: what it grants is held. And one for each rule, at its resource: it says
/// more than managing the sets gives.
fn proofs(input: &DeriveInput, model: &RuleSet) -> TokenStream {
    let (ident, name) = (&input.ident, input.ident.to_string());
    let managed = model.attr.manages.iter().map(|set| code!(&__u::Rules::Of(<#set as __u::Member>::NODE)));
    let managed = code!(&__u::Rules::Join(&[#(#managed),*]));
    let held = model.attr.manages.iter().map(|set| {
        let span = own(set.span());
        let held = quote_spanned! {span=>
            __u::grants_are_held(#name, <#ident as __u::RuleSet>::RULES, <#set as __u::Member>::NODE)
        };
        proof(span, "EVERY_GRANT_IS_HELD", &held)
    });
    let said = model.rules.iter().flat_map(|rule| rule.attr.resources.iter().map(move |resource| (rule, resource)));
    let said = said.filter(|_| !model.attr.manages.is_empty()).map(|(rule, resource)| {
        let (span, rule) = (own(resource.span()), constant(rule, resource));
        let needed = quote_spanned!(span=> __u::rule_is_needed(&__u::Rules::Leaf(&[#rule]), 0, #managed));
        proof(span, "EVERY_RULE_SAYS_MORE", &needed)
    });
    code!(#(#held)* #(#said)*)
}
