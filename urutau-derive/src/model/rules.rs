//! A rule set.

use super::{Field, fields};
use crate::errors::Errors;
use crate::parse::{self, Piece, RbacAttr, RuleAttr, Template};
use std::collections::BTreeSet;
use syn::{DeriveInput, Member, Type};

/// A rule set.
pub(crate) struct RuleSet {
    pub(crate) attr: RbacAttr,
    pub(crate) rules: Vec<Rule>,
    /// Fields that a name refers to.
    pub(crate) texts: BTreeSet<String>,
}

/// One `#[rule(...)]`.
pub(crate) struct Rule {
    pub(crate) attr: RuleAttr,
    pub(crate) names: Option<Vec<Template>>,
    /// The field that says whether, or on which names, it is granted.
    pub(crate) field: Option<(Member, Type)>,
}

const BLANKS: [Piece; 3] = [Piece::Owner, Piece::Namespace, Piece::Name];

/// Reads a struct that derives `RbacRules`.
pub(crate) fn rule_set(input: &DeriveInput, errors: &mut Errors) -> RuleSet {
    let fields = fields(input, "a rule set", errors);
    let mut attr = RbacAttr::default();
    for rbac in input.attrs.iter().filter(|attr| attr.path().is_ident("rbac")) {
        parse::inside(rbac, errors, |input, errors| parse::rbac(input, &mut attr, errors));
    }
    let names: Vec<String> = fields.iter().map(Field::text).collect();
    let mut rules = Vec::new();
    let mut texts = BTreeSet::new();
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("rule")) {
        rules.extend(rule(attr, None, &names, &mut texts, errors));
    }
    for field in &fields {
        let mut granted = false;
        for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("rule")) {
            granted = true;
            rules.extend(rule(attr, Some(field), &names, &mut texts, errors));
        }
        if !granted && !texts.contains(&field.text()) {
            let name = field.text();
            let message = format!(
                "`{name}` grants nothing: give it a `#[rule(...)]`, or name it in one: `names(\"{{{name}}}\")`"
            );
            errors.at(field.span(), message);
        }
    }
    if attr.manages.is_empty() && rules.is_empty() && errors.is_empty() {
        errors.at(input.ident.span(), "a rule set has rules: `#[rule(Secret, verbs(get))]`, or `#[rbac(manages(Set))]`");
    }
    if let (Some(managed), Some(rule)) = (attr.manages.first(), rules.iter().find(|rule| rule.field.is_some())) {
        let _ = managed;
        errors.at(rule.attr.span, "what an operator holds can't depend on a value: put the rule on the struct");
    }
    RuleSet { attr, rules, texts }
}

fn rule(
    attr: &syn::Attribute,
    field: Option<&Field<'_>>,
    fields: &[String],
    texts: &mut BTreeSet<String>,
    errors: &mut Errors,
) -> Option<Rule> {
    let mut read = None;
    let span = super::resource::path_span(attr);
    parse::inside(attr, errors, |input, errors| read = Some(parse::rules(input, span, errors)));
    let read = read?;
    let names = read
        .names
        .as_ref()
        .map(|names| names.iter().map(|name| Template::read(name, &BLANKS, fields, errors)).collect::<Vec<_>>());
    texts.extend(names.iter().flatten().flat_map(Template::fields).cloned());
    if names.is_some() {
        for verb in &read.verbs {
            if matches!(verb.as_str(), "list" | "watch" | "deletecollection") {
                let message = format!("`{verb}` asks for no name, so a rule with `names` never gives it; put it in a rule without");
                errors.at(span, message);
            }
        }
    }
    Some(Rule { attr: read, names, field: field.map(|field| (field.name.clone(), field.ty.clone())) })
}
