//! `#[rule(...)]` and `#[rbac(...)]`.

use super::keys::{Keys, list, only_once, value};
use super::each;
use crate::errors::Errors;
use crate::near;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Path, Token, Type, token};

/// The verbs that the API server knows.
const VERBS: [&str; 15] = [
    "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "use", "bind", "escalate",
    "impersonate", "approve", "sign", "attest",
];

/// What a rule speaks of.
pub(crate) enum Resource {
    /// `Kind` or `Kind/sub`.
    Typed { kind: Box<Type>, sub: String },
    /// `"group"/"resource"` or `"group"/"resource"/"sub"`.
    Named { group: LitStr, resource: LitStr, sub: String },
    /// `urls("/metrics")`.
    Urls(Vec<LitStr>),
}

/// `#[rule(...)]`.
pub(crate) struct RuleAttr {
    pub(crate) span: Span,
    pub(crate) resources: Vec<Resource>,
    pub(crate) verbs: Vec<String>,
    pub(crate) names: Option<Vec<LitStr>>,
    pub(crate) to_grant: bool,
}

/// Reads one `#[rule(...)]`.
pub(crate) fn rules(input: ParseStream, span: Span, errors: &mut Errors) -> RuleAttr {
    let mut rule = RuleAttr { span, resources: Vec::new(), verbs: Vec::new(), names: None, to_grant: false };
    let (mut verbs, mut to_grant) = (None, None);
    let before = errors.count();
    each(input, errors, |input, errors| {
        if input.peek(LitStr) {
            rule.resources.push(named(input)?);
            return Ok(());
        }
        if input.peek(Ident::peek_any) && input.peek2(token::Paren) {
            let key = input.call(Ident::parse_any)?;
            return match key.to_string().as_str() {
                "verbs" => {
                    let content = list(&key, &input)?;
                    only_once(&mut verbs, self::verbs(&content, errors), key.span(), "`verbs`")
                }
                "names" => {
                    let content = list(&key, &input)?;
                    let names: Vec<_> =
                        Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?.into_iter().collect();
                    if names.is_empty() {
                        return Err(syn::Error::new(key.span(), "no name: without `names` the rule is for every name"));
                    }
                    only_once(&mut rule.names, names, key.span(), "`names`")
                }
                "urls" => {
                    let content = list(&key, &input)?;
                    rule.resources.push(Resource::Urls(urls(&content, errors)?));
                    Ok(())
                }
                word => {
                    let hint = near::hint(word, &["verbs", "names", "urls"]);
                    Err(syn::Error::new(key.span(), format!("`#[rule(...)]` has no key `{word}`; {hint}")))
                }
            };
        }
        if input.peek(Ident) && input.fork().parse::<Ident>().is_ok_and(|word| word == "to_grant") {
            let key: Ident = input.parse()?;
            return only_once(&mut to_grant, (), key.span(), "`to_grant`");
        }
        rule.resources.push(typed(input)?);
        Ok(())
    });
    rule.to_grant = to_grant.is_some();
    if errors.count() == before {
        if rule.resources.is_empty() {
            errors.at(span, "a rule names what it speaks of first: `#[rule(Secret, verbs(get))]`");
        } else if verbs.as_ref().is_none_or(Vec::is_empty) {
            errors.at(span, "a rule says what may be done: `verbs(get, list)`");
        }
    }
    rule.verbs = verbs.unwrap_or_default();
    rule
}

fn typed(input: ParseStream) -> syn::Result<Resource> {
    let kind = input.parse()?;
    let mut sub = String::new();
    if input.peek(Token![/]) {
        input.parse::<Token![/]>()?;
        if input.peek(Token![*]) {
            return Err(input.error("`/*` does not give every subresource of a kind; name each: `Pod/log`, `Pod/exec`"));
        }
        sub = input.call(Ident::parse_any)?.to_string();
    }
    Ok(Resource::Typed { kind, sub })
}

fn named(input: ParseStream) -> syn::Result<Resource> {
    let group: LitStr = input.parse()?;
    if !input.peek(Token![/]) {
        let message = "what has no type is named by group and resource: `\"apps\"/\"deployments\"`, `\"\"/\"pods\"`";
        return Err(syn::Error::new(group.span(), message));
    }
    input.parse::<Token![/]>()?;
    let resource: LitStr = input.parse()?;
    let mut sub = String::new();
    if input.peek(Token![/]) {
        input.parse::<Token![/]>()?;
        let literal: LitStr = input.parse()?;
        sub = literal.value();
        if sub == "*" {
            let message = "`/*` does not give every subresource; name each, or `*/sub` for one of every resource";
            return Err(syn::Error::new(literal.span(), message));
        }
    }
    Ok(Resource::Named { group, resource, sub })
}

fn urls(content: ParseStream, errors: &mut Errors) -> syn::Result<Vec<LitStr>> {
    let urls: Vec<LitStr> = Punctuated::<LitStr, Token![,]>::parse_terminated(content)?.into_iter().collect();
    for url in &urls {
        let text = url.value();
        if !text.starts_with('/') && text != "*" {
            errors.at(url.span(), "a path of the API server begins with `/`");
        }
        if text.trim_end_matches('*').contains('*') {
            errors.at(url.span(), "a `*` can only stand at the end of a path");
        }
    }
    Ok(urls)
}

fn verbs(content: ParseStream, errors: &mut Errors) -> Vec<String> {
    let mut verbs = Vec::new();
    each(content, errors, |input, _| {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            if literal.value() == "*" {
                verbs.push("*".to_owned());
                return Ok(());
            }
            return Err(syn::Error::new(literal.span(), "a verb is a word: `get`; only `\"*\"` is a string"));
        }
        let verb = input.call(Ident::parse_any)?;
        let word = verb.to_string();
        if !VERBS.contains(&word.as_str()) {
            let hint = match word.as_str() {
                "put" => "an HTTP PUT is the verb `update`".to_owned(),
                "post" => "an HTTP POST is the verb `create`".to_owned(),
                "apply" => "Server-Side Apply is the verb `patch`, and `create` where the object is absent".to_owned(),
                "read" => "reading is `get`, `list` and `watch`".to_owned(),
                "write" => "writing is `create`, `update` and `patch`".to_owned(),
                _ => near::hint(&word, &VERBS),
            };
            return Err(syn::Error::new(verb.span(), format!("`{word}` is not a verb of the API server; {hint}")));
        }
        if verbs.contains(&word) {
            return Err(syn::Error::new(verb.span(), format!("`{word}` is said twice; keep one")));
        }
        verbs.push(word);
        Ok(())
    });
    verbs
}

const RBAC: Keys = Keys { attribute: "rbac", known: &["manages", "crate"] };

/// `#[rbac(...)]`.
#[derive(Default)]
pub(crate) struct RbacAttr {
    pub(crate) manages: Vec<Type>,
    pub(crate) krate: Option<Path>,
}

/// Reads one `#[rbac(...)]` into `attr`.
pub(crate) fn rbac(input: ParseStream, attr: &mut RbacAttr, errors: &mut Errors) {
    each(input, errors, |input, _| {
        let key = RBAC.read(input)?;
        if key == "manages" {
            let content = list(&key, &input)?;
            attr.manages.extend(Punctuated::<Type, Token![,]>::parse_terminated(&content)?);
            Ok(())
        } else {
            only_once(&mut attr.krate, value(&key, input)?, key.span(), "`crate`")
        }
    });
}
