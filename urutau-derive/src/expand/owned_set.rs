//! `OwnedSet`.

use super::part::proof;
use super::{anonymous, is_concrete, mentions, own, parameters, quiet, stand_in, template, this};
use crate::errors::Errors;
use crate::model;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics, parse_quote_spanned};

/// Expands `#[derive(OwnedSet)]`.
pub(crate) fn owned_set(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::owned_set(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let generics = bounded(&input.generics, &model);
    let node = if failed { unknown(&model) } else { node(input, &model) };
    let member = member(input, &generics, &node, &visit(&model));
    let set = model.attr.owner.as_ref().map(|owner| set_impl(input, &generics, owner, &model));
    let reads = reads(input, &generics, &model, failed);
    let checks = (!failed && is_concrete(&input.generics)).then(|| checks(input, &model));
    let block = anonymous(model.attr.krate.as_ref(), &code!(#member #set #reads #checks));
    code!(#errors #block)
}

/// Visits every member. It is written after a mistake of ours, too, so that what is no member is told at once.
fn visit(model: &model::OwnedSet) -> TokenStream {
    let arms = model.members.iter().enumerate().map(|(i, member)| {
        let (ty, ident, this) = (&member.ty, &member.ident, this());
        code!(#i => <#ty as __u::Member>::visit(&#this.#ident, __at, __plan),)
    });
    code! {
        __plan.set(<Self as __u::Member>::NODE, __at, &mut |__i, __at, __plan| match __i {
            #(#arms)*
            _ => {}
        });
    }
}

fn unknown(model: &model::OwnedSet) -> TokenStream {
    let reads = model.attr.reads.iter().map(|kind| code!(__u::KindId::of::<#kind>()));
    let members = model.members.iter().map(|member| {
        let ty = &member.ty;
        code!(<#ty as __u::Member>::NODE)
    });
    stand_in(&reads.chain(members).collect::<Vec<_>>(), &code!(&__u::Node::Unknown))
}

fn node(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    let declared_by = input.ident.to_string();
    let some = |value: TokenStream| code!(::core::option::Option::Some(#value));
    let none = || code!(::core::option::Option::None);
    let owner = code!(__u::owner_of::<Self>());
    let owner = model.attr.owner.as_ref().map_or_else(none, |_| some(owner));
    let manager = model.attr.manager.as_ref().map_or_else(none, |manager| some(manager.to_token_stream()));
    let name = template::optional(model.name.as_ref());
    let labels = model.labels.iter().map(|(key, value)| {
        let value = template::constant(value);
        code!((#key, #value))
    });
    let reads = &model.attr.reads;
    let slots = model.members.iter().map(|member| {
        let field = member.ident.unraw().to_string();
        let (name, namespace) =
            (template::optional(member.name.as_ref()), template::optional(member.namespace.as_ref()));
        let (after, optional_api, ty) = (&member.after, member.optional_api, &member.ty);
        code! {
            __u::Slot {
                field: #field,
                name: #name,
                namespace: #namespace,
                node: <#ty as __u::Member>::NODE,
                after: &[#(#after),*],
                optional_api: #optional_api,
            }
        }
    });
    code! {
        &__u::Node::Set(__u::Set {
            declared_by: #declared_by,
            owner: #owner,
            manager: #manager,
            name: #name,
            labels: &[#(#labels),*],
            reads: &[#(__u::KindId::of::<#reads>()),*],
            slots: &[#(#slots),*],
        })
    }
}

/// The checks of each member, at its name, and of each kind that is read. A set with parameters is checked where one without embeds it.
fn checks(input: &DeriveInput, model: &model::OwnedSet) -> TokenStream {
    let ident = &input.ident;
    let lifetimes: Vec<_> = input.generics.lifetimes().map(|_| code!('static)).collect();
    let types = if lifetimes.is_empty() { code!() } else { code!(<#(#lifetimes),*>) };
    let members = model.members.iter().enumerate().map(|(i, member)| {
        let span = own(member.ident.span());
        let check = quote::quote_spanned! {span=>
            __u::check::member(__u::check::set(<#ident #types as __u::Member>::NODE), #i)
        };
        proof(span, "EVERY_MEMBER_HAS_ITS_PLACE", &check)
    });
    let reads = model.attr.reads.iter().enumerate().map(|(i, read)| {
        let span = own(read.span());
        let check = quote::quote_spanned! {span=>
            __u::check::read(__u::check::set(<#ident #types as __u::Member>::NODE), #i)
        };
        proof(span, "EVERY_READ_HAS_ITS_PLACE", &check)
    });
    code!(#(#members)* #(#reads)*)
}

fn set_impl(input: &DeriveInput, generics: &Generics, owner: &syn::Type, model: &model::OwnedSet) -> TokenStream {
    let ident = &input.ident;
    let (generics, types, wheres) = generics.split_for_impl();
    let manager = model.attr.manager.as_ref().map_or_else(|| code!("urutau"), ToTokens::to_token_stream);
    code! {
        #[automatically_derived]
        #[allow(private_bounds)]
        impl #generics __u::OwnedSet for #ident #types #wheres {
            type Owner = #owner;
            const MANAGER: &'static ::core::primitive::str = #manager;
        }
    }
}

/// What `declare` may ask for. After a mistake of ours it is everything, so that nothing follows.
fn reads(input: &DeriveInput, generics: &Generics, model: &model::OwnedSet, failed: bool) -> TokenStream {
    let (ident, types) = (&input.ident, generics.split_for_impl().1);
    if failed {
        let mut generics = generics.clone();
        generics.params.push(parse_quote_spanned!(Span::mixed_site()=> __K));
        let (generics, _, wheres) = generics.split_for_impl();
        return code!(#[automatically_derived] impl #generics __u::Reads<__K> for #ident #types #wheres {});
    }
    let (generics, _, wheres) = generics.split_for_impl();
    let all = &model.attr.reads;
    let parameters = parameters(&input.generics);
    // A parameter may be any other kind that is read, and then there would be two impls.
    let reads = all.iter().filter(|kind| all.len() == 1 || !mentions(kind, &parameters)).map(|kind| {
        let span = if all.len() > 1 { own(kind.span()) } else { Span::mixed_site() };
        quote::quote_spanned! {span=>
            #[automatically_derived]
            #[allow(private_bounds)]
            impl #generics __u::Reads<#kind> for #ident #types #wheres {}
        }
    });
    code!(#(#reads)*)
}

fn member(input: &DeriveInput, generics: &Generics, node: &TokenStream, visit: &TokenStream) -> TokenStream {
    let (ident, this, quiet) = (&input.ident, this(), quiet(generics));
    let (generics, types, wheres) = generics.split_for_impl();
    code! {
        #[automatically_derived]
        #[allow(private_bounds)]
        #quiet
        impl #generics __u::Member for #ident #types #wheres {
            const NODE: &'static __u::Node = #node;
            fn visit(&#this, __at: &__u::Scope<'_>, __plan: &mut __u::Plan) {
                #visit
            }
        }
    }
}

/// Members that depend on a parameter have to be members.
fn bounded(generics: &Generics, model: &model::OwnedSet) -> Generics {
    let (mut generics, parameters) = (generics.clone(), parameters(generics));
    for ty in model.members.iter().map(|member| &member.ty).filter(|ty| mentions(ty, &parameters)) {
        let bound = parse_quote_spanned!(own(ty.span())=> #ty: __u::Member);
        generics.make_where_clause().predicates.push(bound);
    }
    generics
}
