//! `#[rule(...)]` and `#[rbac(...)]`.

use super::each;
use super::keys::{Keys, flag, list, only_once, string, value};
use super::resource::{Resource, named, typed, url};
use crate::errors::Errors;
use crate::near;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Path, Token, Type, token};

/// The verbs that the API server knows.
pub(super) const VERBS: [&str; 15] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
    "use",
    "bind",
    "escalate",
    "impersonate",
    "approve",
    "sign",
    "attest",
];

/// A verb, where it is said.
pub(crate) struct Verb {
    pub(crate) word: String,
    pub(crate) span: Span,
}

/// `#[rule(...)]`.
pub(crate) struct RuleAttr {
    pub(crate) span: Span,
    pub(crate) resources: Vec<Resource>,
    pub(crate) verbs: Vec<Verb>,
    pub(crate) names: Option<Vec<LitStr>>,
    pub(crate) to_grant: bool,
    /// Where it is said that a `*` is meant.
    pub(crate) wildcard: Option<Span>,
}

pub(super) const RULE: Keys = Keys { attribute: "rule", known: &["verbs", "names", "urls", "to_grant", "wildcard"] };

/// Reads one `#[rule(...)]`.
pub(crate) fn rules(input: ParseStream, span: Span, errors: &mut Errors) -> RuleAttr {
    let mut rule =
        RuleAttr { span, resources: Vec::new(), verbs: Vec::new(), names: None, to_grant: false, wildcard: None };
    let (mut verbs, mut to_grant) = (None, None);
    let before = errors.count();
    each(input, errors, |input, errors| {
        if input.peek(LitStr) {
            rule.resources.push(named(input, errors)?);
            return Ok(());
        }
        if !is_key(input) {
            rule.resources.push(typed(input, errors)?);
            return Ok(());
        }
        if let Ok(word) = input.fork().call(Ident::parse_any)
            && VERBS.contains(&word.to_string().as_str())
        {
            return Err(syn::Error::new(word.span(), format!("`{word}` is a verb; say it in `verbs({word})`")));
        }
        let key = RULE.read(input, errors)?;
        let (span, what) = (key.span(), format!("`{key}`"));
        match key.to_string().as_str() {
            "verbs" => {
                let said = list(&key, input, errors, |input, _| verb(input))?;
                only_once(&mut verbs, distinct(said, errors), span, &what)
            }
            "names" => {
                let form = "a name is a string: `names(\"{owner}\")`";
                let names = list(&key, input, errors, |input, _| string(input, form))?;
                if names.is_empty() && errors.count() == before {
                    errors.at(span, "no name is said; without `names` the rule is for every name");
                }
                only_once(&mut rule.names, names, span, &what)
            }
            "urls" => {
                let form = "a path of the API server is a string: `urls(\"/metrics\")`";
                let urls = list(&key, input, errors, |input, errors| url(string(input, form)?, errors))?;
                if urls.is_empty() && errors.count() == before {
                    errors.at(span, "no path is said: `urls(\"/metrics\")`");
                }
                rule.resources.push(Resource::Urls(urls));
                Ok(())
            }
            "wildcard" => {
                flag(&key, input)?;
                only_once(&mut rule.wildcard, span, span, &what)
            }
            _ => {
                flag(&key, input)?;
                only_once(&mut to_grant, (), span, &what)
            }
        }
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

/// Whether a key comes next, or what can only be meant as one: kinds begin with an upper case letter.
fn is_key(input: ParseStream) -> bool {
    if !input.peek(Ident::peek_any) || input.peek2(Token![::]) || input.peek2(Token![/]) {
        return false;
    }
    let lower = |word: Ident| word.to_string().starts_with(|c: char| c.is_lowercase());
    input.fork().call(Ident::parse_any).is_ok_and(lower) || input.peek2(token::Paren) || input.peek2(Token![=])
}

fn verb(input: ParseStream) -> syn::Result<Verb> {
    let span = input.span();
    if input.peek(LitStr) {
        let word = input.parse::<LitStr>()?.value();
        if word == "*" {
            return Ok(Verb { word, span });
        }
        return Err(syn::Error::new(span, "a verb is a word: `get`; only `\"*\"` is a string"));
    }
    if !input.peek(Ident::peek_any) {
        return Err(syn::Error::new(span, "a verb is a word: `get`; every verb is `\"*\"`"));
    }
    let word = input.call(Ident::parse_any)?.to_string();
    if VERBS.contains(&word.as_str()) {
        return Ok(Verb { word, span });
    }
    let hint = match word.as_str() {
        "put" => "an HTTP PUT is the verb `update`".to_owned(),
        "post" => "an HTTP POST is the verb `create`".to_owned(),
        "apply" => "Server-Side Apply is the verb `patch`, and `create` where the object is absent".to_owned(),
        "read" => "reading is `get`, `list` and `watch`".to_owned(),
        "write" => "writing is `create`, `update` and `patch`".to_owned(),
        "all" => "every verb is `\"*\"`".to_owned(),
        _ => near::hint(&word, &VERBS),
    };
    Err(syn::Error::new(span, format!("`{word}` is not a verb of the API server; {hint}")))
}

fn distinct(said: Vec<Verb>, errors: &mut Errors) -> Vec<Verb> {
    let mut verbs: Vec<Verb> = Vec::new();
    for verb in said {
        if verbs.iter().any(|known| known.word == verb.word) {
            errors.at(verb.span, format!("`{}` is said twice; keep one", verb.word));
        } else {
            verbs.push(verb);
        }
    }
    verbs
}

pub(super) const RBAC: Keys = Keys { attribute: "rbac", known: &["manages", "crate"] };

/// `#[rbac(...)]`.
#[derive(Default)]
pub(crate) struct RbacAttr {
    pub(crate) manages: Vec<Type>,
    pub(crate) krate: Option<Path>,
}

/// Reads one `#[rbac(...)]` into `attr`.
pub(crate) fn rbac(input: ParseStream, attr: &mut RbacAttr, errors: &mut Errors) {
    each(input, errors, |input, errors| {
        let key = RBAC.read(input, errors)?;
        if key == "manages" {
            attr.manages.extend(list(&key, input, errors, |input, _| input.parse())?);
            Ok(())
        } else {
            only_once(&mut attr.krate, value(&key, input)?, key.span(), "`crate`")
        }
    });
}
