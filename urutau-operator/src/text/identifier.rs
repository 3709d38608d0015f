//! The name of a column that is to be made.

use std::fmt;

use super::{Text, Unreadable};

/// A plain identifier: a letter or `_`, then letters, digits and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identifier(String);

impl Identifier {
    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a text is a plain identifier.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

impl Text for Identifier {
    const KIND: &'static str = "identifier";
    const STAND_IN: &'static str = "_";

    fn read(text: &str) -> Result<Self, Unreadable> {
        if is_identifier(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(Unreadable::new(
            format!("{text:?} is not a column name"),
            "begin with a letter or _, and use only letters, digits and _",
        ))
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

super::as_text!(Identifier);
