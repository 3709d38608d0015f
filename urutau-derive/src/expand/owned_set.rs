//! `OwnedSet`.

use super::{anonymous, is_concrete, template, this};
use crate::errors::Errors;
use crate::model;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{DeriveInput, Generics, parse_quote_spanned};

/// Expands `#[derive(OwnedSet)]`.
pub(crate) fn owned_set(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::owned_set(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let code = if failed {
        member(input, &input.generics, &code!(&__u::Node::Unknown), &code!(let _ = (__at, __plan);))
    } else {
        whole(input, &model)
    };
    let set = model.attr.owner.as_ref().map(|_| set_impl(input, &model));
    let block = anonymous(model.attr.krate.as_ref(), &code!(#code #set));
    code!(#errors #block)
}

fn whole(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    let generics = bounded(&input.generics, model);
    let arms = model.members.iter().enumerate().map(|(i, member)| {
        let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(&member.ty));
        let (ident, this) = (&member.ident, this());
        quote_spanned!(span=> #i => __u::Member::visit(&#this.#ident, __at, __plan),)
    });
    let visit = code! {
        __plan.set(<Self as __u::Member>::NODE, __at, &mut |__i, __at, __plan| match __i {
            #(#arms)*
            _ => {}
        });
    };
    let set = node(input, model);
    let member = member(input, &generics, &code!(&__u::Node::Set(#set)), &visit);
    let checks = checks(input, model);
    code!(#member #checks)
}

fn node(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    let declared_by = input.ident.to_string();
    let some = |value: TokenStream| code!(::core::option::Option::Some(#value));
    let none = || code!(::core::option::Option::None);
    let owner = model.attr.owner.as_ref().map_or_else(none, |owner| some(code!(__u::KindId::of::<#owner>())));
    let manager = model.attr.manager.as_ref().map_or_else(none, |manager| some(manager.to_token_stream()));
    let name = template::optional(model.name.as_ref());
    let labels = model.labels.iter().map(|(key, value)| {
        let value = template::constant(value);
        code!((#key, #value))
    });
    let reads = &model.attr.reads;
    let slots = model.members.iter().map(|member| {
        let field = syn::ext::IdentExt::unraw(&member.ident).to_string();
        let (name, namespace) = (template::optional(member.name.as_ref()), template::optional(member.namespace.as_ref()));
        let (after, optional_api, ty) = (&member.after, member.optional_api, &member.ty);
        let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(ty));
        let node = quote_spanned!(span=> <#ty as __u::Member>::NODE);
        code! {
            __u::Slot {
                field: #field,
                name: #name,
                namespace: #namespace,
                node: #node,
                after: &[#(#after),*],
                optional_api: #optional_api,
            }
        }
    });
    code! {
        __u::Set {
            declared_by: #declared_by,
            owner: #owner,
            manager: #manager,
            name: #name,
            labels: &[#(#labels),*],
            reads: &[#(__u::KindId::of::<#reads>()),*],
            slots: &[#(#slots),*],
        }
    }
}

/// The checks of each member, at its name. A set with parameters is checked where one without embeds it.
fn checks(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    if !is_concrete(&input.generics) {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let lifetimes = input.generics.lifetimes().map(|_| code!('static));
    let members = model.members.iter().enumerate().map(|(i, member)| {
        let span = Span::mixed_site().located_at(member.ident.span());
        quote_spanned!(span=> const _: () = __u::check::member(__SET, #i);)
    });
    let types = if input.generics.lifetimes().next().is_some() { code!(<#(#lifetimes),*>) } else { code!() };
    code! {
        #[allow(dead_code)]
        const __SET: &__u::Set = __u::check::set(<#ident #types as __u::Member>::NODE);
        #(#members)*
    }
}

fn set_impl(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    let ident = &input.ident;
    let generics = bounded(&input.generics, model);
    let (generics, types, wheres) = generics.split_for_impl();
    let owner = &model.attr.owner;
    let manager = model.attr.manager.as_ref().map_or_else(|| code!("urutau"), ToTokens::to_token_stream);
    code! {
        #[automatically_derived]
        impl #generics __u::OwnedSet for #ident #types #wheres {
            type Owner = #owner;
            const MANAGER: &'static str = #manager;
        }
    }
}

fn member(input: &DeriveInput, generics: &Generics, node: &TokenStream, visit: &TokenStream) -> TokenStream {
    let (ident, this) = (&input.ident, this());
    let (generics, types, wheres) = generics.split_for_impl();
    code! {
        #[automatically_derived]
        impl #generics __u::Member for #ident #types #wheres {
            const NODE: &'static __u::Node = #node;
            fn visit(&#this, __at: &__u::Scope<'_>, __plan: &mut __u::Plan) {
                #visit
            }
        }
    }
}

/// The generics, with the bound that every member whose type has parameters is one.
fn bounded(generics: &Generics, model: &model::OwnedSet) -> Generics {
    let mut generics = generics.clone();
    let parameters: Vec<String> = generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
    for member in &model.members {
        let ty = &member.ty;
        if mentions(ty.to_token_stream(), &parameters) {
            let span = syn::spanned::Spanned::span(ty);
            generics.make_where_clause().predicates.push(parse_quote_spanned!(span=> #ty: __u::Member));
        }
    }
    generics
}

fn mentions(tokens: TokenStream, words: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => words.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), words),
        _ => false,
    })
}
