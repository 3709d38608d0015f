//! What attributes mean, checked as a whole. A model that was built can be written out without any more questions.

mod clash;
mod labels;
mod refuse;
mod resource;
mod rules;
mod set;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use resource::{Resource, part, resource};
pub(crate) use rules::{Rule, RuleSet, rule_set};
pub(crate) use set::{OwnedSet, owned_set};
pub(crate) use write::{Write, Writes};

use crate::errors::Errors;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Ident, Index, Member as FieldName, Type};

/// A field of the struct.
pub(crate) struct Field<'a> {
    pub(crate) name: FieldName,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: &'a [syn::Attribute],
}

impl Field<'_> {
    /// The field as a blank names it.
    pub(crate) fn text(&self) -> String {
        crate::parse::field_text(&self.name)
    }

    pub(crate) fn span(&self) -> proc_macro2::Span {
        self.name.span()
    }

    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.name {
            FieldName::Named(ident) => Some(ident),
            FieldName::Unnamed(_) => None,
        }
    }

    /// Whether it only holds a parameter.
    pub(crate) fn is_phantom(&self) -> bool {
        matches!(self.ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
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
    let field = |(i, field): (u32, &'a syn::Field)| {
        let index = || FieldName::Unnamed(Index { index: i, span: field.ty.span() });
        let name = field.ident.clone().map_or_else(index, FieldName::Named);
        Field { name, ty: &field.ty, attrs: &field.attrs }
    };
    (0..).zip(fields).map(field).collect()
}

/// The names of the fields.
fn names(fields: &[Field<'_>]) -> Vec<FieldName> {
    fields.iter().map(|field| field.name.clone()).collect()
}
