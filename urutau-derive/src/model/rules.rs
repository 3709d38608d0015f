//! A rule set.

mod names;
mod wildcards;

use super::{Field, fields};
use crate::errors::Errors;
use crate::parse::{self, Piece, RbacAttr, RuleAttr, Template, field_text, path_span};
use proc_macro2::Span;
use std::collections::BTreeMap;
use syn::{DeriveInput, Member, Type};

/// Fields whose text is asked for, by their names.
type Texts = BTreeMap<String, Member>;

/// A rule set.
pub(crate) struct RuleSet {
    pub(crate) attr: RbacAttr,
    pub(crate) rules: Vec<Rule>,
    /// Fields that a name refers to.
    pub(crate) texts: Texts,
}

/// One `#[rule(...)]`.
pub(crate) struct Rule {
    pub(crate) attr: RuleAttr,
    pub(crate) names: Option<Vec<Template>>,
    /// The field that says whether, or on which names, it is granted.
    pub(crate) field: Option<(Member, Type)>,
    /// Verbs that the names of such a field would never give, and what is to be said of them.
    pub(crate) unnamed: Vec<(Span, String)>,
}

const BLANKS: [Piece; 3] = [Piece::Owner, Piece::Namespace, Piece::Name];

/// Reads a struct that derives `RbacRules`.
pub(crate) fn rule_set(input: &DeriveInput, errors: &mut Errors) -> RuleSet {
    let mut fields = fields(input, "a rule set", errors);
    fields.retain(|field| !field.is_phantom());
    let mut attr = RbacAttr::default();
    for rbac in input.attrs.iter().filter(|attr| attr.path().is_ident("rbac")) {
        parse::inside(rbac, errors, |input, errors| parse::rbac(input, &mut attr, errors));
    }
    let names = super::names(&fields);
    let mut rules = Vec::new();
    let mut texts = Texts::new();
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("rule")) {
        rules.extend(rule(attr, None, &names, &mut texts, errors));
    }
    for field in &fields {
        let mut granted = false;
        for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("rule")) {
            granted = true;
            rules.extend(rule(attr, Some(field), &names, &mut texts, errors));
        }
        if !granted && !texts.contains_key(&field.text()) {
            let name = field.text();
            let message = format!(
                "`{name}` grants nothing: give it a `#[rule(...)]`, or name it in one: `names(\"{{{name}}}\")`"
            );
            errors.at(field.span(), message);
        }
    }
    if attr.manages.is_empty() && rules.is_empty() && errors.is_empty() {
        errors
            .at(input.ident.span(), "a rule set has rules: `#[rule(Secret, verbs(get))]`, or `#[rbac(manages(Set))]`");
    }
    for rule in rules.iter().filter(|rule| !attr.manages.is_empty() && rule.field.is_some()) {
        errors.at(rule.attr.span, "what an operator holds can't depend on a value: put the rule on the struct");
    }
    for rule in &rules {
        wildcards::check(&rule.attr, !attr.manages.is_empty(), errors);
        names::check(rule, !attr.manages.is_empty(), errors);
    }
    let parameter = input.generics.params.iter().find(|parameter| !matches!(parameter, syn::GenericParam::Lifetime(_)));
    if let (Some(_), Some(parameter)) = (attr.manages.first(), parameter) {
        // A constant with parameters is evaluated where it is used, if it is: the proof would be nobody's.
        errors.at(
            syn::spanned::Spanned::span(parameter),
            "what an operator holds is proved once and for all: a rule set that manages sets has no parameters",
        );
    }
    RuleSet { attr, rules, texts }
}

fn rule(
    attr: &syn::Attribute,
    field: Option<&Field<'_>>,
    fields: &[Member],
    texts: &mut Texts,
    errors: &mut Errors,
) -> Option<Rule> {
    let mut read = None;
    let span = path_span(attr);
    parse::inside(attr, errors, |input, errors| read = Some(parse::rules(input, span, errors)));
    let read = read?;
    let names = read
        .names
        .as_ref()
        .map(|names| names.iter().map(|name| Template::read(name, &BLANKS, fields, errors)).collect::<Vec<_>>());
    texts.extend(names.iter().flatten().flat_map(Template::fields).map(|field| (field_text(field), field.clone())));
    let mut unnamed = unnamed(&read);
    if names.is_some() {
        unnamed.drain(..).for_each(|(span, message)| errors.at(span, message));
    }
    if let (Some(names), Some(_)) = (&read.names, read.resources.iter().find(|r| matches!(r, parse::Resource::Urls(_))))
    {
        let span = names.first().map_or(span, syn::LitStr::span);
        errors.at(span, "paths of the API server have no names; say them in a rule without `names`");
    }
    let field = field.map(|field| (field.name.clone(), field.ty.clone()));
    Some(Rule { attr: read, names, field, unnamed })
}

/// The verbs of a rule that it never gives on names, because a request for them has none, or not always.
fn unnamed(rule: &RuleAttr) -> Vec<(Span, String)> {
    let says = |word: &str| rule.verbs.iter().any(|verb| verb.word == word);
    let only_seen = rule.verbs.iter().all(|verb| matches!(verb.word.as_str(), "list" | "watch"));
    // What is created below an object has the name of that.
    let has_sub = |resource: &parse::Resource| match resource {
        parse::Resource::Typed { sub, .. } | parse::Resource::Named { sub, .. } => !sub.is_empty(),
        parse::Resource::Urls(_) => true,
    };
    let below = rule.resources.iter().all(has_sub);
    let why = |word: &str| {
        match word {
        "deletecollection" => {
            Some("a request for `deletecollection` never has a name; say it in a rule without names".to_owned())
        }
        "list" | "watch" if !only_seen => Some(format!(
            "a request for `{word}` has a name only if it selects `metadata.name`; split the rule: `verbs(list, watch)` \
             in one without names, or in one with these names for requests that do"
        )),
        "create" if !below && !says("patch") => Some(
            "a POST has no name, so names never give it `create`; split the rule: `verbs(create)` in one without names, \
             or with `patch` beside it for Server-Side Apply, which creates by name"
                .to_owned(),
        ),
        _ => None,
    }
    };
    rule.verbs.iter().filter_map(|verb| Some((verb.span, why(&verb.word)?))).collect()
}
