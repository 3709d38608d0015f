//! What a struct writes into its object: constants, fields and parts, each with its path.

use super::Field;
use crate::errors::Errors;
use crate::parse::{self, FieldPath, Item, Piece, Segment, Template};
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
pub(crate) fn writes(attrs: &[Attribute], fields: &[Field<'_>], used: &mut BTreeSet<String>, errors: &mut Errors) -> Writes {
    let mut list = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("set")) {
        parse::inside(attr, errors, |input, errors| {
            list.extend(parse::items(input, errors).into_iter().map(from_item));
        });
    }
    let mut templates = Templates::new();
    let names: Vec<String> = fields.iter().map(Field::text).collect();
    for write in &list {
        strings(write, &mut |text| {
            templates.entry(text.value()).or_insert_with(|| Template::read(text, &BLANKS, &names, errors));
        });
        mentioned(write, &names, used);
    }
    for template in templates.values() {
        used.extend(template.fields().cloned());
    }
    for field in fields {
        for attr in field.attrs {
            let (at, part) = (attr.path().is_ident("at"), attr.path().is_ident("part"));
            if at || part {
                used.insert(field.text());
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
            } else if attr.path().is_ident("set") {
                errors.at(
                    syn::spanned::Spanned::span(attr.path()),
                    "constants stand on the struct; a field says where it goes: `#[at(path)]`",
                );
            }
        }
    }
    Writes { list, templates }
}

fn from_item(item: Item) -> Write {
    match item {
        Item::Value(path, value) => Write::Value(path, value),
        Item::Block(path, items) => Write::Block(path, items.into_iter().map(from_item).collect()),
        Item::Unfinished(path) => Write::Unfinished(path),
    }
}

/// Calls `visit` with every string that may hold blanks: values, keys, and what stands in arrays.
fn strings(write: &Write, visit: &mut dyn FnMut(&syn::LitStr)) {
    let (Write::Value(path, _)
    | Write::Block(path, _)
    | Write::Unfinished(path)
    | Write::Field(path, ..)
    | Write::Part(path, ..)) = write;
    for segment in &path.segments {
        match segment {
            Segment::Field(_) => {}
            Segment::Key(_, keys) => keys.iter().for_each(|key| strings_in(key, visit)),
            Segment::NamedKey(_, _, key) => strings_in(key, visit),
        }
    }
    match write {
        Write::Value(_, value) => strings_in(value, visit),
        Write::Block(_, inner) => inner.iter().for_each(|write| strings(write, visit)),
        _ => {}
    }
}

fn strings_in(value: &Expr, visit: &mut dyn FnMut(&syn::LitStr)) {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => visit(text),
        Expr::Array(array) => array.elems.iter().for_each(|value| strings_in(value, visit)),
        _ => {}
    }
}

/// Fields that an expression mentions, a value or a key, are used by it.
fn mentioned(write: &Write, names: &[String], used: &mut BTreeSet<String>) {
    if let Write::Value(path, _) | Write::Block(path, _) = write {
        for segment in &path.segments {
            match segment {
                Segment::Field(_) => {}
                Segment::Key(_, keys) => keys.iter().for_each(|key| idents(key.to_token_stream(), names, used)),
                Segment::NamedKey(_, _, key) => idents(key.to_token_stream(), names, used),
            }
        }
    }
    match write {
        Write::Value(_, value) => idents(value.to_token_stream(), names, used),
        Write::Block(_, inner) => inner.iter().for_each(|write| mentioned(write, names, used)),
        _ => {}
    }
}

fn idents(tokens: TokenStream, names: &[String], used: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let word = ident.to_string();
                if names.contains(&word) {
                    used.insert(word);
                }
            }
            TokenTree::Group(group) => idents(group.stream(), names, used),
            _ => {}
        }
    }
}
