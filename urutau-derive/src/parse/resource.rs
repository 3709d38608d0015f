//! What a rule speaks of.

use super::keys::string;
use crate::errors::Errors;
use crate::near;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Token, Type, TypePath};

/// What is said to `pods/*`.
const EVERY_SUB: &str = "`/*` does not give every subresource; name each, or `\"*\"/\"sub\"` for one of every resource";

/// What a rule speaks of.
pub(crate) enum Resource {
    /// `Kind` or `Kind/sub`.
    Typed { kind: Box<Type>, sub: String },
    /// `"group"/"resource"` or `"group"/"resource"/"sub"`.
    Named { group: LitStr, resource: LitStr, sub: String },
    /// `urls("/metrics")`.
    Urls(Vec<LitStr>),
}

impl Resource {
    /// Where it is said.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Typed { kind, .. } => kind.span(),
            Self::Named { group, .. } => group.span(),
            Self::Urls(urls) => urls.first().map_or_else(Span::call_site, LitStr::span),
        }
    }
}

/// Reads `Kind` or `Kind/sub`.
pub(super) fn typed(input: ParseStream, errors: &mut Errors) -> syn::Result<Resource> {
    let kind: Type = input.parse()?;
    if let Type::Path(TypePath { qself: None, path, .. }) = &kind
        && let Some(word) = path.get_ident()
        && word.to_string().starts_with(char::is_lowercase)
    {
        let mut message =
            format!("a resource is named by its kind, `Pod`, or by group and resource, `\"\"/\"{word}\"`");
        if input.peek(Token![/]) && input.peek2(Ident::peek_any) {
            input.parse::<Token![/]>()?;
            let sub = input.call(Ident::parse_any)?;
            message =
                format!("a resource is named by its kind, `Pod/{sub}`, or by its group, `\"\"/\"{word}\"/\"{sub}\"`");
        }
        return Err(syn::Error::new(word.span(), message));
    }
    let mut sub = String::new();
    if input.peek(Token![/]) {
        let slash: Token![/] = input.parse()?;
        if input.peek(Ident::peek_any) {
            sub = input.call(Ident::parse_any)?.to_string();
        } else {
            errors.at(
                slash.span,
                "the subresource is missing behind the `/`: `Pod/log`; there is no name for all of them",
            );
            super::skip_to_comma(input);
        }
    }
    Ok(Resource::Typed { kind: Box::new(kind), sub })
}

/// Reads `"group"/"resource"` or `"group"/"resource"/"sub"`.
pub(super) fn named(input: ParseStream, errors: &mut Errors) -> syn::Result<Resource> {
    let form = "what has no type is named by group and resource: `\"apps\"/\"deployments\"`, `\"\"/\"pods\"/\"log\"`";
    let group: LitStr = input.parse()?;
    if !input.peek(Token![/]) {
        return Err(syn::Error::new(group.span(), form));
    }
    input.parse::<Token![/]>()?;
    let resource = string(input, form)?;
    let mut sub = String::new();
    if input.peek(Token![/]) {
        input.parse::<Token![/]>()?;
        let literal = string(input, form)?;
        sub = literal.value();
        if sub == "*" {
            errors.at(literal.span(), EVERY_SUB);
        } else if sub.contains('/') {
            errors.at(literal.span(), "a subresource is one word behind one `/`: `\"\"/\"pods\"/\"log\"`");
        }
    }
    group_is_one(&group, errors);
    let text = resource.value();
    if text.ends_with("/*") {
        errors.at(resource.span(), EVERY_SUB);
    } else if let Some((one, sub)) = text.split_once('/') {
        let message = format!("a subresource stands behind a `/` of its own: `\"{one}\"/\"{sub}\"`");
        errors.at(resource.span(), message);
    }
    Ok(Resource::Named { group, resource, sub })
}

/// API groups of Kubernetes whose names have no dot; those of others always have one.
const PLAIN_GROUPS: [&str; 5] = ["apps", "autoscaling", "batch", "extensions", "policy"];

fn group_is_one(group: &LitStr, errors: &mut Errors) {
    let text = group.value();
    if text == "core" || text == "v1" {
        errors.at(group.span(), "the group of Pods, Secrets and so on has no name: `\"\"`");
    } else if let Some((group_alone, _)) = text.split_once('/') {
        errors.at(group.span(), format!("a group is named without a version: `\"{group_alone}\"`"));
    } else if !text.is_empty() && text != "*" && !text.contains('.') && !PLAIN_GROUPS.contains(&text.as_str()) {
        let hint = match near::nearest(&text, &PLAIN_GROUPS) {
            Some(known) => format!("did you mean `\"{known}\"`?"),
            None => format!("only these have no dot: {}", PLAIN_GROUPS.join(", ")),
        };
        errors.at(group.span(), format!("`{text}` is not an API group; {hint}"));
    }
}

/// Reads a path of the API server.
pub(super) fn url(url: LitStr, errors: &mut Errors) -> syn::Result<LitStr> {
    let text = url.value();
    if !text.starts_with('/') && text != "*" {
        errors.at(url.span(), "a path of the API server begins with `/`");
    }
    if text.trim_end_matches('*').contains('*') {
        return Err(syn::Error::new(url.span(), "a `*` can only stand at the end of a path"));
    }
    Ok(url)
}
