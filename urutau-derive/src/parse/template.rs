//! Strings with blanks: `"{owner}-coordinator"`.

use crate::errors::Errors;
use crate::near;
use syn::LitStr;

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
    Field(String),
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
    /// Reads a string. `known` are the blanks that have a value here besides the struct's `fields`.
    pub(crate) fn read(literal: &LitStr, known: &[Piece], fields: &[String], errors: &mut Errors) -> Self {
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
    pub(crate) fn fields(&self) -> impl Iterator<Item = &String> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Field(field) => Some(field),
            _ => None,
        })
    }
}

fn blank(word: &str, known: &[Piece], fields: &[String]) -> Result<Piece, String> {
    let all = [("owner", Piece::Owner), ("namespace", Piece::Namespace), ("name", Piece::Name), ("key", Piece::Key)];
    if fields.iter().any(|field| field == word) {
        return Ok(Piece::Field(word.to_owned()));
    }
    if let Some((_, piece)) = all.iter().find(|(name, piece)| *name == word && known.contains(piece)) {
        return Ok(piece.clone());
    }
    let mut names: Vec<&str> =
        all.iter().filter(|(_, piece)| known.contains(piece)).map(|(name, _)| *name).collect();
    names.extend(fields.iter().map(String::as_str));
    Err(format!("`{{{word}}}` has no value here; {}", near::hint(word, &names)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;

    fn pieces(text: &str) -> Result<Vec<Piece>, String> {
        let mut errors = Errors::default();
        let literal = LitStr::new(text, Span::call_site());
        let read = Template::read(&literal, &[Piece::Owner, Piece::Name], &["table".to_owned()], &mut errors);
        if errors.is_empty() { Ok(read.pieces) } else { Err(errors.into_code().to_string()) }
    }

    #[test]
    fn blanks_and_braces_are_told_apart() {
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(pieces("{owner}-a"), Ok(vec![Piece::Owner, text("-a")]));
        assert_eq!(pieces("{{x}} {table}"), Ok(vec![text("{x} "), Piece::Field("table".to_owned())]));
        assert_eq!(pieces(""), Ok(vec![]));
        assert_eq!(pieces("é{name}ü"), Ok(vec![text("é"), Piece::Name, text("ü")]));
        for bad in ["{", "}", "a{owner", "{ownr}", "{key}", "{}"] {
            assert!(pieces(bad).is_err(), "{bad}");
        }
    }
}
