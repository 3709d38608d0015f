//! What the framework writes itself, and a struct can't.

use super::write::Write;
use crate::errors::Errors;
use crate::parse::Segment;
use syn::Ident;
use syn::ext::IdentExt as _;

/// Whether a path is the struct's to write; one that is not is reported.
pub(super) fn root(write: &Write, errors: &mut Errors) -> bool {
    let Some(root) = write.path().root() else { return true };
    let before = errors.count();
    match root.unraw().to_string().as_str() {
        "status" => errors.at(root.span(), "`status` is written by who runs the object, never by its owner"),
        "metadata" => {
            for field in below(write, root) {
                if let Some(message) = of_metadata(&field.to_string()) {
                    errors.at(field.span(), message);
                }
            }
        }
        _ => {}
    }
    errors.count() == before
}

/// The fields of `metadata` that are written; `metadata` itself where it is written whole.
fn below<'a>(write: &'a Write, root: &'a Ident) -> Vec<&'a Ident> {
    match (write.path().segments.get(1), write) {
        (Some(Segment::Field(field)), _) => vec![field],
        (None, Write::Block(_, inner)) if !inner.is_empty() => {
            inner.iter().filter_map(|write| write.path().root()).collect()
        }
        (None, Write::Unfinished(_)) => Vec::new(),
        _ => vec![root],
    }
}

fn of_metadata(field: &str) -> Option<&'static str> {
    match field {
        "labels" | "annotations" => None,
        "name" => Some("the name comes from the set, `#[owned(Kind, name = \"...\")]` or `#[member(name = \"...\")]`"),
        "namespace" => Some("an object lives where its owner lives; `#[member(namespace = \"...\")]` says otherwise"),
        _ => Some(
            "of `metadata` a struct writes `labels` and `annotations`; the rest is the framework's or the API server's",
        ),
    }
}
