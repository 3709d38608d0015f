//! `OwnedResource`.

use super::part::{alias, is_checked_here, part_impl, proof};
use super::{anonymous, mentions, own, parameters, quiet, stand_in, template, this, write};
use crate::errors::Errors;
use crate::model::{self, Resource};
use crate::parse::{OwnedAttr, Ready};
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics, parse_quote_spanned};

/// Roots that hold permissions: whether a kind is a role or a binding only its constants say.
const PERMISSIONS: [&str; 4] = ["rules", "aggregation_rule", "role_ref", "subjects"];

/// Expands `#[derive(OwnedResource)]`.
pub(crate) fn owned_resource(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::resource(input, &mut errors);
    let failed = !errors.is_empty();
    let errors = errors.into_code();
    let code = if let Some(kind) = &model.kind {
        let (alias, kind) = alias(input, kind);
        let object = object(input, &model, &kind, failed);
        code!(#alias #object)
    } else {
        let nothing = code!(let _ = (__at, __plan););
        member(input, &input.generics, &code!(&__u::Node::Unknown), &nothing)
    };
    let block = anonymous(model.attr.krate.as_ref(), &code);
    code!(#errors #block)
}

/// The impls. After a mistake of ours the paths are still written, so that mistakes in them are told at once, and an
/// editor can complete them.
fn object(input: &DeriveInput, model: &Resource, kind: &TokenStream, failed: bool) -> TokenStream {
    let generics = bounded(&input.generics, model);
    let mut statements = write::statements(&model.writes);
    let this = this();
    if let Some((rules, field)) = &model.grants {
        let rules = quote_spanned!(own(rules.span())=> <#rules as __u::RuleSet>::policy_rules(&#this.#field, __n));
        statements.extend(code!(__u::write_role(&#rules, __b);));
    }
    if let Some(labels) = &model.aggregates {
        let labels = labels.iter().map(|(key, value)| {
            let value = template::value(value);
            code!((#key, ::std::string::String::from(#value)))
        });
        statements.extend(code!(__u::write_aggregation([#(#labels),*], __b);));
    }
    if let Some(binds) = &model.binds {
        let role = &binds.role;
        let (role_name, subject) = (template::constant(&binds.role_name), template::constant(&binds.subject));
        statements.extend(code! {
            __u::write_binding(<#role as __u::Kind>::KIND, #role_name, #subject, __n, __b);
        });
    }
    let part = part_impl(input, &generics, kind, &statements);
    let object = if failed { unknown(model, kind) } else { node(input, model, kind) };
    let fields = template::field_texts(model.name.iter().flat_map(crate::parse::Template::fields));
    let visit = code! {
        __plan.object::<#kind, Self>(<Self as __u::Member>::NODE, #this, __at, #fields);
    };
    let checks = if failed { Vec::new() } else { checks(model, kind) };
    if model.kind.as_ref().is_some_and(|kind| is_checked_here(input, kind)) {
        let member = member(input, &generics, &object, &visit);
        let checks = checks.iter().map(|(span, check)| proof(*span, "PERMISSIONS_ARE_TYPED", check));
        return code!(#part #member #(#checks)*);
    }
    let checks = checks.iter().map(|(_, check)| check);
    let member = member(input, &generics, &code!({ #(#checks;)* #object }), &visit);
    code!(#part #member)
}

/// Where a parameter stands for the rule set, it has to be one.
fn bounded(generics: &Generics, model: &Resource) -> Generics {
    let mut generics = generics.clone();
    if let Some((rules, _)) = &model.grants
        && mentions(rules, &parameters(&generics))
    {
        let bound = parse_quote_spanned!(own(rules.span())=> #rules: __u::RuleSet);
        generics.make_where_clause().predicates.push(bound);
    }
    generics
}

fn unknown(model: &Resource, kind: &TokenStream) -> TokenStream {
    let rules = model.grants.iter().map(|(rules, _)| code!(<#rules as __u::RuleSet>::NAME));
    let looked_at = [code!(__u::KindId::of::<#kind>()), ready(&model.attr)].into_iter().chain(rules);
    stand_in(&looked_at.collect::<Vec<_>>(), &code!(&__u::Node::Unknown))
}

fn node(input: &DeriveInput, model: &Resource, kind: &TokenStream) -> TokenStream {
    let declared_by = input.ident.to_string();
    let name = template::optional(model.name.as_ref());
    let (policy, ready) = (policy(&model.attr), ready(&model.attr));
    let grants = model.grants.iter().map(
        |(rules, _)| code!(__u::Grant { name: <#rules as __u::RuleSet>::NAME, rules: <#rules as __u::RuleSet>::RULES }),
    );
    let aggregates = model.aggregates.is_some();
    let binds = match &model.binds {
        None => code!(::core::option::Option::None),
        Some(binds) => {
            let (role, name) = (&binds.role, template::constant(&binds.role_name));
            code!(::core::option::Option::Some(__u::Binding { role: __u::KindId::of::<#role>(), name: #name }))
        }
    };
    code! {
        &__u::Node::Object(__u::Object {
            declared_by: #declared_by,
            kind: __u::KindId::of::<#kind>(),
            name: #name,
            policy: #policy,
            ready: #ready,
            grants: &[#(#grants),*],
            aggregates: #aggregates,
            binds: #binds,
        })
    }
}

fn ready(attr: &OwnedAttr) -> TokenStream {
    match &attr.ready {
        None => code!(::core::option::Option::None::<__u::Check>),
        Some(Ready::Known) => code!(::core::option::Option::Some(__u::Check::Known)),
        Some(Ready::By(path)) => code!(::core::option::Option::Some(__u::Check::By(#path))),
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

/// What only the kind's constants decide: that permissions are written by rule sets and references alone.
fn checks(model: &Resource, kind: &TokenStream) -> Vec<(proc_macro2::Span, TokenStream)> {
    let roots = model.writes.list.iter().filter_map(|write| write.path().root());
    let by_hand: Vec<_> = roots.filter(|root| PERMISSIONS.contains(&root.unraw().to_string().as_str())).collect();
    let mut checks: Vec<_> = by_hand
        .iter()
        .map(|root| {
            let (span, name) = (own(root.span()), root.unraw().to_string());
            (span, quote_spanned!(span=> __u::check::permissions(&__u::KindId::of::<#kind>(), #name)))
        })
        .collect();
    let span = own(kind.span());
    let (grants, binds) = (model.grants.is_some(), model.binds.is_some());
    let otherwise = model.aggregates.is_some() || !by_hand.is_empty();
    let check = quote_spanned!(span=> __u::check::role(&__u::KindId::of::<#kind>(), #grants, #binds, #otherwise));
    checks.push((span, check));
    if let Some(aggregates) = &model.attr.aggregates {
        let span = own(aggregates.key.span());
        checks.push((span, quote_spanned!(span=> __u::check::aggregated(&__u::KindId::of::<#kind>()))));
    }
    if let Some(binds) = &model.binds {
        let (role, span) = (&binds.role, own(binds.role.span()));
        checks.push((
            span,
            quote_spanned!(span=> __u::check::bound(&__u::KindId::of::<#kind>(), &__u::KindId::of::<#role>())),
        ));
    }
    checks
}

fn member(input: &DeriveInput, generics: &Generics, node: &TokenStream, visit: &TokenStream) -> TokenStream {
    let (ident, this, quiet) = (&input.ident, this(), quiet(generics));
    let (generics, _, wheres) = generics.split_for_impl();
    let (_, types, _) = input.generics.split_for_impl();
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
