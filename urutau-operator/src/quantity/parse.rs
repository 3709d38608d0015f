//! Reading a quantity, as apimachinery's `ParseQuantity` does it.

use std::borrow::Cow;
use std::str::FromStr;
use std::{fmt, iter};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::{Format, MOST, NANOS, Quantity};
use crate::text::{KEYWORD, Text, Unreadable};

/// The pattern by which the API server itself knows a quantity, less the sign: nothing here may be negative.
pub(crate) const PATTERN: &str =
    r"^\+?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

const FIX: &str = r#"write a number with a suffix if it needs one, such as "2", "500m" or "4Gi""#;

/// More digits than this, in nanos, are more than a quantity can hold.
const MOST_DIGITS: i64 = 30;

impl FromStr for Quantity {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new(format!("{text:?} is not a quantity"), fix(text));
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let number_ends = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
        let (number, suffix) = unsigned.split_at(number_ends);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return Err(unreadable());
        }
        let (scale, format) = scale(suffix).ok_or_else(unreadable)?;
        let too_large = || {
            Unreadable::new(
                format!("{text:?} is too large"),
                "write less than 8Ei, which is all that a quantity can hold",
            )
        };
        let magnitude = magnitude(whole, fraction, scale).filter(|nanos| *nanos <= MOST).ok_or_else(too_large)?;
        let nanos = if negative { -magnitude } else { magnitude };
        // Less than one in a binary unit is told in a decimal one, as the API server does.
        let format = if format == Format::Binary && magnitude < NANOS { Format::Decimal } else { format };
        Ok(Self { nanos, format })
    }
}

/// What one of a suffix is worth: a power of two, or a power of ten.
#[derive(Clone, Copy)]
enum Scale {
    Binary(u32),
    Decimal(i32),
}

/// The suffixes with what they are worth.
pub(super) const BINARY: [(&str, u32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];
pub(super) const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];

fn scale(suffix: &str) -> Option<(Scale, Format)> {
    if let Some((_, power)) = BINARY.into_iter().find(|(name, _)| *name == suffix) {
        return Some((Scale::Binary(power), Format::Binary));
    }
    if let Some((_, power)) = DECIMAL.into_iter().find(|(name, _)| *name == suffix) {
        return Some((Scale::Decimal(power), Format::Decimal));
    }
    let power = suffix.strip_prefix(['e', 'E'])?;
    let unsigned = power.strip_prefix(['+', '-']).unwrap_or(power);
    if unsigned.is_empty() || !unsigned.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    Some((Scale::Decimal(power.parse().ok()?), Format::Exponent))
}

/// The amount in nanos, rounded up; `None` when it is too large to hold.
fn magnitude(whole: &str, fraction: &str, scale: Scale) -> Option<i128> {
    let (factor, power) = match scale {
        Scale::Binary(shift) => (1u64 << shift, 0),
        Scale::Decimal(power) => (1, power),
    };
    let digits = times(whole.bytes().chain(fraction.bytes()), factor);
    if digits.is_empty() {
        return Some(0);
    }
    // The digits are a whole number of 10^power nanos.
    let power = i64::from(power) + 9 - i64::try_from(fraction.len()).ok()?;
    let length = i64::try_from(digits.len()).ok()? + power;
    if length > MOST_DIGITS {
        return None;
    }
    let length = usize::try_from(length).unwrap_or_default();
    let nanos: i128 =
        digits.iter().chain(iter::repeat(&0)).take(length).fold(0, |sum, digit| sum * 10 + i128::from(*digit));
    let is_exact = digits.iter().skip(length).all(|digit| *digit == 0);
    Some(if is_exact { nanos } else { nanos + 1 })
}

/// The digits of a number times a factor, without leading zeros.
fn times(digits: impl DoubleEndedIterator<Item = u8>, factor: u64) -> Vec<u8> {
    let mut carry = 0u128;
    let mut product = Vec::new();
    let mut digits = digits.rev().map(|digit| digit - b'0').fuse();
    loop {
        let digit = digits.next();
        if digit.is_none() && carry == 0 {
            break;
        }
        carry += u128::from(digit.unwrap_or_default()) * u128::from(factor);
        product.push((carry % 10) as u8);
        carry /= 10;
    }
    product.reverse();
    let zeros = product.iter().take_while(|digit| **digit == 0).count();
    product.split_off(zeros)
}

/// What to write, closer to the mistake where it is a known one.
fn fix(text: &str) -> String {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let meant = match &text[number.len()..] {
        "K" => "k",
        "KB" | "kB" | "kb" | "kib" | "KiB" | "ki" => "Ki",
        "MB" | "mb" | "mib" | "MiB" | "mi" => "Mi",
        "GB" | "gb" | "gib" | "GiB" | "gi" | "g" => "Gi",
        "TB" | "tb" | "tib" | "TiB" | "ti" | "t" => "Ti",
        _ => return FIX.to_owned(),
    };
    match format!("{number}{meant}").parse::<Quantity>() {
        Ok(_) => format!("did you mean \"{number}{meant}\"?"),
        Err(_) => FIX.to_owned(),
    }
}

/// Reads a quantity from a string or, as the API does, from a whole number.
struct Reader;

impl Visitor<'_> for Reader {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quantity such as \"500m\" or 2")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
        Quantity::read(text).map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Quantity, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Quantity, E> {
        self.visit_str(&number.to_string())
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl JsonSchema for Quantity {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Self::KIND.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "x-kubernetes-int-or-string": true,
            "pattern": PATTERN,
            "minimum": 0,
            (KEYWORD): Self::KIND,
        })
    }
}
