//! Strings with blanks: `"{owner}-coordinator"`.

use crate::errors::Errors;
use crate::near;
use syn::ext::IdentExt;
use syn::{LitStr, Member};

/// A piece of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// `{owner}`.
    Owner,
    /// `{namespace}`.
    Namespace,
    /// `{name}`.
    Name,
    /// `{key}`.
    Key,
    /// A field of the struct.
    Field(Member),
    /// Text, with `{{` and `}}` read as braces.
    Text(String),
}

/// A string that was read for its blanks.
#[derive(Clone)]
pub(crate) struct Template {
    pub(crate) literal: LitStr,
    pub(crate) pieces: Vec<Piece>,
}

impl Template {
    /// Whether it says the same whatever is filled in.
    pub(crate) fn is_fixed(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    /// Reads a string. `known` are the blanks that have a value here besides the struct's `fields`.
    pub(crate) fn read(literal: &LitStr, known: &[Piece], fields: &[Member], errors: &mut Errors) -> Self {
        let text = literal.value();
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if rest.starts_with(brace) {
                plain.push_str(brace);
                rest = &rest[1..];
                continue;
            }
            let end = if brace == "{" { rest.find('}') } else { None };
            let Some(end) = end else {
                errors.at(literal.span(), format!("a lone `{brace}`: write `{brace}{brace}` for a brace"));
                break;
            };
            match blank(&rest[..end], known, fields) {
                Ok(piece) => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(piece);
                }
                Err(message) => errors.at(literal.span(), message),
            }
            rest = &rest[end + 1..];
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Self { literal: literal.clone(), pieces }
    }

    /// Whether there is anything to fill in.
    pub(crate) fn is_blank(&self) -> bool {
        self.pieces.iter().any(|piece| !matches!(piece, Piece::Text(_)))
    }

    /// The fields it refers to.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Member> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field(field) => Some(field),
            _ => None,
        })
    }
}

/// A field as a blank names it.
pub(crate) fn field_text(field: &Member) -> String {
    match field {
        Member::Named(ident) => ident.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn blank(word: &str, known: &[Piece], fields: &[Member]) -> Result<Piece, String> {
    let all = [("owner", Piece::Owner), ("namespace", Piece::Namespace), ("name", Piece::Name), ("key", Piece::Key)];
    if let Some(field) = fields.iter().find(|field| field_text(field) == word) {
        return Ok(Piece::Field(field.clone()));
    }
    if let Some((_, piece)) = all.iter().find(|(name, piece)| *name == word && known.contains(piece)) {
        return Ok(piece.clone());
    }
    if !word.chars().all(|c| c == '_' || c.is_alphanumeric()) || word.is_empty() {
        return Err("`{` begins a blank, `{owner}`; write `{{` and `}}` for braces".to_owned());
    }
    let mut names: Vec<String> =
        all.iter().filter(|(_, piece)| known.contains(piece)).map(|(name, _)| (*name).to_owned()).collect();
    names.extend(fields.iter().map(field_text));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Err(format!("`{{{word}}}` has no value here; {}", near::hint(word, &names)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;
    use syn::parse_quote;

    fn pieces(text: &str) -> Result<Vec<Piece>, String> {
        let mut errors = Errors::default();
        let literal = LitStr::new(text, Span::call_site());
        let read = Template::read(&literal, &[Piece::Owner, Piece::Name], &[parse_quote!(table)], &mut errors);
        if errors.is_empty() { Ok(read.pieces) } else { Err(errors.into_code().to_string()) }
    }

    #[test]
    fn blanks_and_braces_are_told_apart() {
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(pieces("{owner}-a"), Ok(vec![Piece::Owner, text("-a")]));
        assert_eq!(pieces("{{x}} {table}"), Ok(vec![text("{x} "), Piece::Field(parse_quote!(table))]));
        assert_eq!(pieces(""), Ok(vec![]));
        assert_eq!(pieces("é{name}ü"), Ok(vec![text("é"), Piece::Name, text("ü")]));
        for bad in ["{", "}", "a{owner", "{ownr}", "{key}", "{}"] {
            assert!(pieces(bad).is_err(), "{bad}");
        }
    }
}
