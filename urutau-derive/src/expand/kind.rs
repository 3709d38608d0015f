//! `Kind`.

use super::anonymous;
use crate::errors::Errors;
use crate::parse::{self, KubeAttr};
use proc_macro2::{Span, TokenStream};
use syn::{DeriveInput, Ident};

/// Expands `#[derive(Kind)]`.
pub(crate) fn kind(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let kube = parse::kube(&input.attrs, &mut errors);
    let (Some(group), Some(version), Some(kind)) = (&kube.group, &kube.version, &kube.kind) else {
        missing(input, &kube, &mut errors);
        return errors.into_code();
    };
    let root = kube.root.as_ref().unwrap_or(kind).value();
    let Ok(mut root) = syn::parse_str::<Ident>(&root) else {
        // kube says so.
        return errors.into_code();
    };
    root.set_span(Span::call_site().located_at(input.ident.span()));
    let plural = kube.plural.as_ref().map_or_else(|| plural(&kind.value().to_lowercase()), syn::LitStr::value);
    let namespaced = kube.namespaced;
    let code = code! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl __u::Kind for #root {
            const GROUP: &'static ::core::primitive::str = #group;
            const VERSION: &'static ::core::primitive::str = #version;
            const KIND: &'static ::core::primitive::str = #kind;
            const PLURAL: &'static ::core::primitive::str = #plural;
            const NAMESPACED: ::core::primitive::bool = #namespaced;
        }
    };
    let block = anonymous(kube.krate.as_ref(), &code);
    let errors = errors.into_code();
    code!(#errors #block)
}

fn missing(input: &DeriveInput, kube: &KubeAttr, errors: &mut Errors) {
    let Some(span) = kube.span else {
        let message =
            "`Kind` reads what `CustomResource` reads: `#[kube(group = \"...\", version = \"...\", kind = \"...\")]`";
        return errors.at(input.ident.span(), message);
    };
    for (name, value) in [("group", &kube.group), ("version", &kube.version), ("kind", &kube.kind)] {
        if value.is_none() {
            errors.at(span, format!("`{name}` is missing: `#[kube({name} = \"...\")]`"));
        }
    }
}

/// kube's plural where none is said. It is no constant there; the start compares the two.
fn plural(word: &str) -> String {
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    match word.strip_suffix('y') {
        Some(stem) if !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn plurals_are_those_of_kube() {
        let cases = [
            ("fox", "foxes"),
            ("puppy", "puppies"),
            ("day", "days"),
            ("cdcpipeline", "cdcpipelines"),
            ("bus", "buses"),
        ];
        for (word, plural) in cases {
            assert_eq!(super::plural(word), plural);
        }
    }
}
