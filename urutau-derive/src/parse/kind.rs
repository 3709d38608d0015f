//! What `Kind` reads of `#[kube(...)]`, and `#[kind(...)]`.

use super::keys::{Keys, only_once, value};
use super::each;
use crate::errors::Errors;
use syn::{Attribute, LitStr, Path, Token};

/// The names in `#[kube(...)]`.
#[derive(Default)]
pub(crate) struct KubeAttr {
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
            let _ = attr.parse_nested_meta(|meta| {
                let slot = match meta.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("group") => &mut read.group,
                    Some("version") => &mut read.version,
                    Some("kind") => &mut read.kind,
                    Some("plural") => &mut read.plural,
                    Some("struct") => &mut read.root,
                    Some("namespaced") => {
                        read.namespaced = true;
                        return Ok(());
                    }
                    _ => {
                        while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
                            meta.input.parse::<proc_macro2::TokenTree>()?;
                        }
                        return Ok(());
                    }
                };
                *slot = Some(meta.value()?.parse()?);
                Ok(())
            });
        } else if attr.path().is_ident("kind") {
            super::inside(attr, errors, |input, errors| {
                each(input, errors, |input, _| {
                    let key = Keys { attribute: "kind", known: &["crate"] }.read(input)?;
                    only_once(&mut read.krate, value(&key, input)?, key.span(), "`crate`")
                });
            });
        }
    }
    read
}
