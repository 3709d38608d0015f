//! What attributes mean, checked as a whole. A model that was built can be written out without any more questions.

mod clash;
mod resource;
mod rules;
mod set;
mod write;

pub(crate) use resource::{Resource, part, resource};
pub(crate) use rules::{Rule, RuleSet, rule_set};
pub(crate) use set::{OwnedSet, owned_set};
pub(crate) use write::{Write, Writes};

use crate::errors::Errors;
use syn::{Data, DeriveInput, Fields, Ident, Member as FieldName, Type};

/// A field of the struct.
pub(crate) struct Field<'a> {
    pub(crate) name: FieldName,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: &'a [syn::Attribute],
}

impl Field<'_> {
    /// The field as a blank names it.
    pub(crate) fn text(&self) -> String {
        match &self.name {
            FieldName::Named(ident) => syn::ext::IdentExt::unraw(ident).to_string(),
            FieldName::Unnamed(index) => index.index.to_string(),
        }
    }

    pub(crate) fn span(&self) -> proc_macro2::Span {
        match &self.name {
            FieldName::Named(ident) => ident.span(),
            FieldName::Unnamed(_) => syn::spanned::Spanned::span(self.ty),
        }
    }

    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.name {
            FieldName::Named(ident) => Some(ident),
            FieldName::Unnamed(_) => None,
        }
    }
}

/// The fields of a struct; an enum or a union is a mistake at its name.
pub(crate) fn fields<'a>(input: &'a DeriveInput, what: &str, errors: &mut Errors) -> Vec<Field<'a>> {
    let Data::Struct(data) = &input.data else {
        errors.at(input.ident.span(), format!("{what} is a struct"));
        return Vec::new();
    };
    let fields = match &data.fields {
        Fields::Named(fields) => &fields.named,
        Fields::Unnamed(fields) => &fields.unnamed,
        Fields::Unit => return Vec::new(),
    };
    let field = |(i, field): (usize, &'a syn::Field)| {
        let name = field.ident.clone().map_or_else(|| FieldName::Unnamed(i.into()), FieldName::Named);
        Field { name, ty: &field.ty, attrs: &field.attrs }
    };
    fields.iter().enumerate().map(field).collect()
}
