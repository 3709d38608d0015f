//! What a struct writes into its object: constants, fields and parts, each with its path.

use super::{Field, names};
use crate::errors::Errors;
use crate::parse::{self, FieldPath, Item, Piece, Segment, Template, field_text, path_span};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, Expr, ExprLit, Lit, Member};

/// One thing that is written.
pub(crate) enum Write {
    /// A constant.
    Value(FieldPath, Box<Expr>),
    /// A block of constants; empty: present, and empty.
    Block(FieldPath, Vec<Write>),
    /// A path that ends in a `.`: nothing is written.
    Unfinished(FieldPath),
    /// A field's value.
    Field(FieldPath, Member, Span),
    /// A part.
    Part(FieldPath, Member, Span),
}

impl Write {
    /// Where it is written.
    pub(crate) fn path(&self) -> &FieldPath {
        match self {
            Self::Value(path, _)
            | Self::Block(path, _)
            | Self::Unfinished(path)
            | Self::Field(path, ..)
            | Self::Part(path, ..) => path,
        }
    }
}

/// Everything that is written, and the strings in it that have blanks.
pub(crate) struct Writes {
    pub(crate) list: Vec<Write>,
    /// Strings by their place in the source.
    pub(crate) templates: Templates,
}

/// Strings that were read for their blanks, by their text; equal ones mean the same.
pub(crate) type Templates = BTreeMap<String, Template>;

/// The blanks that have a value in the body of an object.
pub(crate) const BLANKS: [Piece; 4] = [Piece::Owner, Piece::Namespace, Piece::Name, Piece::Key];

/// Reads `#[set]` of the struct and `#[at]` and `#[part]` of its fields.
pub(crate) fn writes(
    attrs: &[Attribute],
    fields: &[Field<'_>],
    used: &mut BTreeSet<String>,
    errors: &mut Errors,
) -> Writes {
    let mut list = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("set")) {
        parse::inside(attr, errors, |input, errors| {
            list.extend(parse::items(input, errors).into_iter().map(from_item));
        });
    }
    let mut templates = Templates::new();
    for field in fields {
        for attr in field.attrs {
            of_field(field, attr, used, &mut list, errors);
        }
    }
    let names = names(fields);
    for write in &list {
        expressions(write, &mut |value| {
            idents(value.to_token_stream(), &names, used);
            strings(value, &mut |text| {
                let template = Template::read(text, &BLANKS, &names, errors);
                templates.entry(text.value()).or_insert(template);
            });
        });
    }
    for template in templates.values() {
        used.extend(template.fields().map(field_text));
    }
    Writes { list, templates }
}

fn of_field(
    field: &Field<'_>,
    attr: &Attribute,
    used: &mut BTreeSet<String>,
    list: &mut Vec<Write>,
    errors: &mut Errors,
) {
    let (at, part, set) = (attr.path().is_ident("at"), attr.path().is_ident("part"), attr.path().is_ident("set"));
    if at || part || set {
        used.insert(field.text());
    }
    if set {
        errors.at(path_span(attr), "constants stand on the struct; a field says where it goes: `#[at(path)]`");
    } else if at || part {
        parse::inside(attr, errors, |input, errors| {
            for path in parse::paths(input, errors) {
                let (name, span) = (field.name.clone(), field.span());
                list.push(match path.unfinished {
                    true => Write::Unfinished(path),
                    false if part => Write::Part(path, name, span),
                    false => Write::Field(path, name, span),
                });
            }
        });
    }
}

fn from_item(item: Item) -> Write {
    match item {
        Item::Value(path, value) => Write::Value(path, value),
        Item::Block(path, items) => Write::Block(path, items.into_iter().map(from_item).collect()),
        Item::Unfinished(path) => Write::Unfinished(path),
    }
}

/// Calls `visit` with every expression: values and keys.
fn expressions(write: &Write, visit: &mut dyn FnMut(&Expr)) {
    for segment in &write.path().segments {
        match segment {
            Segment::Field(_) => {}
            Segment::Key(_, keys) => keys.iter().for_each(&mut *visit),
            Segment::NamedKey(_, _, key) => visit(key),
        }
    }
    match write {
        Write::Value(_, value) => visit(value),
        Write::Block(_, inner) => inner.iter().for_each(|write| expressions(write, visit)),
        _ => {}
    }
}

/// Calls `visit` with every string that may hold blanks.
fn strings(value: &Expr, visit: &mut dyn FnMut(&syn::LitStr)) {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => visit(text),
        Expr::Array(array) => array.elems.iter().for_each(|value| strings(value, visit)),
        _ => {}
    }
}

/// Fields that an expression mentions are used by it.
fn idents(tokens: TokenStream, names: &[Member], used: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let field = names.iter().find(|name| matches!(name, Member::Named(name) if *name == ident));
                used.extend(field.map(field_text));
            }
            TokenTree::Group(group) => idents(group.stream(), names, used),
            _ => {}
        }
    }
}
