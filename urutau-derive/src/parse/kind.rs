//! What `Kind` reads of `#[kube(...)]`, and `#[kind(...)]`.

use super::keys::{Keys, only_once, value};
use super::{each, path_span};
use crate::errors::Errors;
use proc_macro2::{Span, TokenTree};
use syn::{Attribute, LitStr, Path, Token};

pub(super) const KIND: Keys = Keys { attribute: "kind", known: &["crate"] };

/// The names in `#[kube(...)]`.
#[derive(Default)]
pub(crate) struct KubeAttr {
    /// The first of them.
    pub(crate) span: Option<Span>,
    pub(crate) group: Option<LitStr>,
    pub(crate) version: Option<LitStr>,
    pub(crate) kind: Option<LitStr>,
    pub(crate) plural: Option<LitStr>,
    pub(crate) root: Option<LitStr>,
    pub(crate) namespaced: bool,
    pub(crate) krate: Option<Path>,
}

/// Reads every `#[kube(...)]` and `#[kind(...)]`. What kube alone knows, and every mistake in it, is kube's to report.
pub(crate) fn kube(attrs: &[Attribute], errors: &mut Errors) -> KubeAttr {
    let mut read = KubeAttr::default();
    for attr in attrs {
        if attr.path().is_ident("kube") {
            read.span.get_or_insert(path_span(attr));
            names(attr, &mut read);
        } else if attr.path().is_ident("kind") {
            super::inside(attr, errors, |input, errors| {
                each(input, errors, |input, errors| {
                    let key = KIND.read(input, errors)?;
                    only_once(&mut read.krate, value(&key, input)?, key.span(), "`crate`")
                });
            });
        }
    }
    read
}

fn names(attr: &Attribute, read: &mut KubeAttr) {
    // An error here is one that kube reports.
    let _ = attr.parse_nested_meta(|meta| {
        let slot = match meta.path.get_ident().map(ToString::to_string).as_deref() {
            Some("group") => &mut read.group,
            Some("version") => &mut read.version,
            Some("kind") => &mut read.kind,
            Some("plural") => &mut read.plural,
            Some("root") => &mut read.root,
            Some("namespaced") => {
                read.namespaced = true;
                return Ok(());
            }
            _ => {
                while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
                    meta.input.parse::<TokenTree>()?;
                }
                return Ok(());
            }
        };
        *slot = Some(meta.value()?.parse()?);
        Ok(())
    });
}
