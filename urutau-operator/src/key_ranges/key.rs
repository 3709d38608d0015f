//! Keys, and how they are written.

use super::{Decimal, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The type of a key, which decides how keys are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum KeyType {
    /// Whole numbers of up to 64 bits, with or without a sign.
    Integer,
    /// Texts, by the bytes of their UTF-8, which is the order of their code points and knows no language.
    String,
    /// UUIDs, by their bytes.
    Uuid,
    /// Decimal numbers of any length.
    Decimal,
    /// Points in time, to the nanosecond.
    Timestamp,
}

/// A key. Only keys of one type are compared in earnest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Key {
    /// A whole number from -2^63 to 2^64 - 1.
    Integer(i128),
    /// A text.
    String(String),
    /// A UUID as a number, the first byte being the highest.
    Uuid(u128),
    /// A decimal number.
    Decimal(Decimal),
    /// A point in time.
    Timestamp(Timestamp),
}

/// What is no key of a type: what is wrong, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadKey {
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub fix: &'static str,
}

const INTEGERS: std::ops::RangeInclusive<i128> = -(1 << 63)..=(1 << 64) - 1;

impl KeyType {
    /// The word for it in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::String => "string",
            Self::Uuid => "uuid",
            Self::Decimal => "decimal",
            Self::Timestamp => "timestamp",
        }
    }

    /// What a key of this type looks like.
    fn fix(self) -> &'static str {
        match self {
            Self::Integer => "write a whole number from -9223372036854775808 to 18446744073709551615",
            Self::String => "write a text in quotes",
            Self::Uuid => "write it as 123e4567-e89b-12d3-a456-426614174000",
            Self::Decimal => "write a number in quotes and in full, such as \"-12.50\"",
            Self::Timestamp => {
                "write RFC 3339 with a zone and at most nine digits of a second, such as \
                                \"2026-01-31T12:00:00.5Z\""
            }
        }
    }

    /// Reads a key from a text.
    ///
    /// # Errors
    /// When it is no key of this type.
    pub fn parse(self, text: &str) -> Result<Key, BadKey> {
        let key = match self {
            Self::Integer => integer(text).map(Key::Integer),
            Self::String => Some(Key::String(text.to_owned())),
            Self::Uuid => uuid(text).map(Key::Uuid),
            Self::Decimal => text.parse().ok().map(Key::Decimal),
            Self::Timestamp => text.parse().ok().map(Key::Timestamp),
        };
        key.ok_or_else(|| self.bad(&format!("{text:?}")))
    }

    /// Reads a key from JSON or YAML. Numbers with a fraction are refused: they have lost digits already.
    ///
    /// # Errors
    /// When it is no key of this type.
    pub fn read(self, value: &Value) -> Result<Key, BadKey> {
        match value {
            Value::String(text) => self.parse(text),
            Value::Number(number)
                if matches!(self, Self::Integer | Self::Decimal) && (number.is_i64() || number.is_u64()) =>
            {
                self.parse(&number.to_string())
            }
            // Of `010` and `1e1` this is all that is left.
            Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|value| value.fract() == 0.0) => {
                let mut bad = self.bad(&number.to_string());
                bad.message += ": a number with a point, an exponent or a zero in front is read so";
                Err(bad)
            }
            Value::Array(_) => Err(self.bad("a list")),
            Value::Object(_) => Err(self.bad("an object")),
            other => Err(self.bad(&other.to_string())),
        }
    }

    fn bad(self, what: &str) -> BadKey {
        let what = if what.chars().count() > 80 {
            format!("{}...", what.chars().take(77).collect::<String>())
        } else {
            what.to_owned()
        };
        BadKey { message: format!("{what} is not a key of type {self}"), fix: self.fix() }
    }
}

impl Key {
    /// The type of the key.
    pub fn key_type(&self) -> KeyType {
        match self {
            Self::Integer(_) => KeyType::Integer,
            Self::String(_) => KeyType::String,
            Self::Uuid(_) => KeyType::Uuid,
            Self::Decimal(_) => KeyType::Decimal,
            Self::Timestamp(_) => KeyType::Timestamp,
        }
    }

    /// The key as [`KeyType::parse`] reads it.
    pub fn text(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::String(text) => text.clone(),
            Self::Uuid(number) => dashed(*number),
            Self::Decimal(number) => number.to_string(),
            Self::Timestamp(time) => time.to_string(),
        }
    }
}

/// Decimal digits with a sign or none, and nothing else.
fn integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && INTEGERS.contains(number))
}

/// 32 hexadecimal digits, in upper or lower case, with the four dashes or without any.
fn uuid(text: &str) -> Option<u128> {
    let dashes: Vec<usize> = text.match_indices('-').map(|(at, _)| at).collect();
    let digits = text.replace('-', "");
    let is_uuid = (dashes.is_empty() || dashes == [8, 13, 18, 23])
        && digits.len() == 32
        && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_uuid { u128::from_str_radix(&digits, 16).ok() } else { None }
}

fn dashed(number: u128) -> String {
    let mut text = format!("{number:032x}");
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    text
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// In words: texts stand in quotes.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => write!(f, "{text:?}"),
            other => f.write_str(&other.text()),
        }
    }
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.fix)
    }
}

impl std::error::Error for BadKey {}
