//! `OwnedResource` and `Part`.

use super::{anonymous, is_concrete, template, this, write};
use crate::errors::Errors;
use crate::model::{self, Resource, Write, Writes};
use crate::parse::{OwnedAttr, Ready};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{DeriveInput, Type};

/// Expands `#[derive(OwnedResource)]`.
pub(crate) fn owned_resource(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::resource(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let code = if failed {
        let part = model.kind.as_ref().map(|kind| stand_in_part(input, kind, &model.writes));
        let member = member(input, &code!(&__u::Node::Unknown), &code!(let _ = (__at, __plan);));
        code!(#part #member)
    } else {
        whole(input, &model)
    };
    let block = anonymous(model.attr.krate.as_ref(), &code);
    code!(#errors #block)
}

/// Expands `#[derive(Part)]`.
pub(crate) fn part(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::part(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let code = match &model.of {
        Some(of) if failed => stand_in_part(input, of, &model.writes),
        Some(of) => part_impl(input, of, &write::statements(&model.writes)),
        None => TokenStream::new(),
    };
    let block = anonymous(model.krate.as_ref(), &code);
    code!(#errors #block)
}

fn whole(input: &DeriveInput, model: &Resource) -> TokenStream {
    let Some(kind) = &model.kind else { return TokenStream::new() };
    let mut statements = write::statements(&model.writes);
    if let Some((rules, field)) = &model.grants {
        let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(rules));
        let this = this();
        statements.extend(quote_spanned!(span=> __u::write_role::<#rules>(&#this.#field, __n, __b);));
    }
    if let Some(binds) = &model.binds {
        let (role, role_name, subject) =
            (&binds.role, template::constant(&binds.role_name), template::constant(&binds.subject));
        statements.extend(code! {
            __u::write_binding(<#role as __u::Kind>::KIND, #role_name, #subject, __n, __b);
        });
    }
    let part = part_impl(input, kind, &statements);
    let node = node(input, model, kind);
    let fields = template::field_texts(model.name.iter().flat_map(crate::parse::Template::fields), Span::call_site());
    let this = this();
    let visit = code! {
        __plan.object::<#kind, Self>(<Self as __u::Member>::NODE, #this, __at, #fields);
    };
    let member = member(input, &code!(&__u::Node::Object(#node)), &visit);
    let checks = checks(input, model, kind);
    code!(#part #member #checks)
}

fn node(input: &DeriveInput, model: &Resource, kind: &Type) -> TokenStream {
    let declared_by = input.ident.to_string();
    let name = template::optional(model.name.as_ref());
    let policy = policy(&model.attr);
    let ready = match &model.attr.ready {
        None => code!(::core::option::Option::None),
        Some(Ready::Known) => code!(::core::option::Option::Some(__u::Check::Known)),
        Some(Ready::By(path)) => code!(::core::option::Option::Some(__u::Check::By(#path))),
    };
    let grants = model.grants.iter().map(|(rules, _)| {
        code!(__u::Grant { name: <#rules as __u::RuleSet>::NAME, rules: <#rules as __u::RuleSet>::RULES })
    });
    let binds = match &model.binds {
        None => code!(::core::option::Option::None),
        Some(binds) => {
            let (role, name) = (&binds.role, template::constant(&binds.role_name));
            code!(::core::option::Option::Some(__u::Binding { role: __u::KindId::of::<#role>(), name: #name }))
        }
    };
    code! {
        __u::Object {
            declared_by: #declared_by,
            kind: __u::KindId::of::<#kind>(),
            name: #name,
            policy: #policy,
            ready: #ready,
            grants: &[#(#grants),*],
            binds: #binds,
        }
    }
}

fn policy(attr: &OwnedAttr) -> TokenStream {
    let apply = match attr.apply {
        Some(1) => code!(Once),
        Some(2) => code!(Recreate),
        _ => code!(Always),
    };
    let on_removal = if attr.on_removal == Some(1) { code!(Keep) } else { code!(Delete) };
    let conflict = if attr.conflict == Some(1) { code!(Yield) } else { code!(Force) };
    let takes_over = &attr.takes_over;
    code! {
        __u::Policy {
            apply: __u::Apply::#apply,
            on_removal: __u::OnRemoval::#on_removal,
            conflict: __u::Conflict::#conflict,
            takes_over: &[#(#takes_over),*],
        }
    }
}

/// What only the kind's constants decide: that permissions are written by rule sets alone.
fn checks(input: &DeriveInput, model: &Resource, kind: &Type) -> TokenStream {
    if !is_concrete(&input.generics) {
        return TokenStream::new();
    }
    let roots = model.writes.list.iter().filter_map(|write| {
        let (Write::Value(path, _)
        | Write::Block(path, _)
        | Write::Unfinished(path)
        | Write::Field(path, ..)
        | Write::Part(path, ..)) = write;
        let root = path.root()?;
        let name = root.to_string();
        matches!(name.as_str(), "rules" | "role_ref" | "subjects" | "aggregation_rule").then(|| {
            let span = Span::mixed_site().located_at(root.span());
            quote_spanned!(span=> const _: () = __u::check::permissions(&__u::KindId::of::<#kind>(), #name);)
        })
    });
    let span = Span::mixed_site().located_at(syn::spanned::Spanned::span(kind));
    let (grants, binds) = (model.grants.is_some(), model.binds.is_some());
    quote_spanned! {span=>
        #(#roots)*
        const _: () = __u::check::role(&__u::KindId::of::<#kind>(), #grants, #binds);
    }
}

fn part_impl(input: &DeriveInput, of: &Type, statements: &TokenStream) -> TokenStream {
    let (ident, this) = (&input.ident, this());
    let (generics, types, wheres) = input.generics.split_for_impl();
    code! {
        #[automatically_derived]
        impl #generics __u::Part<#of> for #ident #types #wheres {
            #[allow(unused_variables)]
            fn write(&#this, __n: &__u::Names<'_>, __at: &__u::Path<'_, #of>, __b: &mut __u::Body) {
                #statements
            }
        }
    }
}

/// After a mistake of ours: only the unfinished paths are written, so that an editor can complete them.
fn stand_in_part(input: &DeriveInput, of: &Type, writes: &Writes) -> TokenStream {
    let unfinished: Vec<Write> = unfinished(&writes.list);
    let only = Writes { list: unfinished, templates: writes.templates.clone() };
    part_impl(input, of, &write::statements(&only))
}

fn unfinished(list: &[Write]) -> Vec<Write> {
    let mut kept = Vec::new();
    for write in list {
        match write {
            Write::Unfinished(path) => kept.push(Write::Unfinished(path.clone())),
            Write::Block(path, inner) => {
                let inner = unfinished(inner);
                if !inner.is_empty() {
                    kept.push(Write::Block(path.clone(), inner));
                }
            }
            _ => {}
        }
    }
    kept
}

fn member(input: &DeriveInput, node: &TokenStream, visit: &TokenStream) -> TokenStream {
    let (ident, this) = (&input.ident, this());
    let (generics, types, wheres) = input.generics.split_for_impl();
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
