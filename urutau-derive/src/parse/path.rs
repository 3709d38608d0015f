//! Field paths: `spec.template.spec.containers["x"].image`.

use super::{each, skip_to_comma};
use crate::errors::Errors;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, bracketed, token};

const FORM: &str = "expected a field path, as `spec.replicas`";

/// One step of a path.
#[derive(Clone)]
pub(crate) enum Segment {
    /// A field.
    Field(Ident),
    /// `["x"]`, `[53, "UDP"]`.
    Key(Span, Vec<Expr>),
    /// `[name = "x"]`: the key field is named, for a list that the tables don't know.
    NamedKey(Span, Ident, Expr),
}

/// A path of fields and keys.
#[derive(Clone)]
pub(crate) struct FieldPath {
    pub(crate) segments: Vec<Segment>,
    /// A `.` with nothing behind it: reported, and what there is still written, for editors.
    pub(crate) unfinished: bool,
}

impl FieldPath {
    /// Reads a path.
    ///
    /// # Errors
    /// When there is not even a first field.
    pub(crate) fn read(input: ParseStream, errors: &mut Errors) -> syn::Result<Self> {
        if !input.peek(Ident::peek_any) {
            return Err(syn::Error::new(input.span(), FORM));
        }
        let mut segments = vec![Segment::Field(input.call(Ident::parse_any)?)];
        loop {
            if input.peek(Token![.]) {
                let dot: Token![.] = input.parse()?;
                if !input.peek(Ident::peek_any) {
                    let ends = input.is_empty() || input.peek(Token![,]);
                    let span = if ends { dot.span } else { input.span() };
                    errors.at(span, "the path ends here: name a field behind the `.`");
                    skip_to_comma(input);
                    return Ok(Self { segments, unfinished: true });
                }
                segments.push(Segment::Field(input.call(Ident::parse_any)?));
            } else if input.peek(token::Bracket) {
                let content;
                let bracket = bracketed!(content in input);
                match key(&content, bracket.span.join()) {
                    Ok(key) => segments.push(key),
                    Err(error) => {
                        // What is left unread would be reported once more.
                        let _ = content.parse::<TokenStream>();
                        errors.push(error);
                        skip_to_comma(input);
                        return Ok(Self { segments, unfinished: true });
                    }
                }
            } else {
                return Ok(Self { segments, unfinished: false });
            }
        }
    }

    /// The first field.
    pub(crate) fn root(&self) -> Option<&Ident> {
        match self.segments.first() {
            Some(Segment::Field(ident)) => Some(ident),
            _ => None,
        }
    }

    /// Where a message about the whole path stands: its last step.
    pub(crate) fn span(&self) -> Span {
        self.segments.last().map_or_else(Span::call_site, Segment::span)
    }

    /// The path as it is written, without white space.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for segment in &self.segments {
            if matches!(segment, Segment::Field(_)) && !text.is_empty() {
                text.push('.');
            }
            text.push_str(&segment.text());
        }
        text
    }
}

impl Segment {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Field(ident) => ident.span(),
            Self::Key(span, _) | Self::NamedKey(span, _, _) => *span,
        }
    }

    /// The step as it is written: two that are equal lead to one place.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Field(ident) => ident.unraw().to_string(),
            Self::Key(_, keys) => {
                let keys: Vec<_> = keys.iter().map(|key| key.to_token_stream().to_string()).collect();
                format!("[{}]", keys.join(", "))
            }
            Self::NamedKey(_, name, key) => format!("[{name} = {}]", key.to_token_stream()),
        }
    }
}

fn key(content: ParseStream, span: Span) -> syn::Result<Segment> {
    if content.is_empty() {
        return Err(syn::Error::new(span, "a key is missing: `[\"name\"]`, `[8080]`, `[53, \"UDP\"]`"));
    }
    if content.peek(Ident) && content.peek2(Token![=]) && !content.peek2(Token![==]) {
        let name = content.parse()?;
        content.parse::<Token![=]>()?;
        if content.is_empty() {
            return Err(syn::Error::new(span, "a key is missing behind the `=`"));
        }
        return Ok(Segment::NamedKey(span, name, content.parse()?));
    }
    Ok(Segment::Key(span, Punctuated::<Expr, Token![,]>::parse_terminated(content)?.into_iter().collect()))
}

/// Reads `path, path`.
pub(crate) fn paths(input: ParseStream, errors: &mut Errors) -> Vec<FieldPath> {
    let mut paths = Vec::new();
    if input.is_empty() {
        errors.at(input.span(), FORM);
    }
    each(input, errors, |input, errors| {
        paths.push(FieldPath::read(input, errors)?);
        Ok(())
    });
    paths
}
