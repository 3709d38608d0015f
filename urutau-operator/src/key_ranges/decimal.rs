//! Decimal numbers of any length, exactly.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// More digits than any database keeps.
const MOST_DIGITS: usize = 150_000;

/// A decimal number. Equal values are equal however they are written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// Never with zero.
    negative: bool,
    /// The digits before the point, with no zero at the front.
    whole: String,
    /// The digits behind it, with no zero at the end.
    fraction: String,
}

impl Decimal {
    /// How many digits behind the point it takes to write it.
    pub(super) fn scale(&self) -> usize {
        self.fraction.len()
    }

    /// How many units of so many digits behind the point it is; what is smaller than a unit is left out.
    pub(super) fn units(&self, scale: usize) -> BigInt {
        let kept = self.fraction.get(..scale).unwrap_or(&self.fraction);
        let zeros = "0".repeat(scale - kept.len());
        let digits: Vec<u8> = [self.whole.as_str(), kept, &zeros].concat().bytes().map(|digit| digit - b'0').collect();
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_radix_be(sign, &digits, 10).unwrap_or_default()
    }

    /// The number that is so many units of so many digits behind the point.
    pub(super) fn of_units(units: &BigInt, scale: usize) -> Self {
        let digits = units.magnitude().to_string();
        let digits = format!("{}{digits}", "0".repeat(scale.saturating_sub(digits.len())));
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        Self::of(units.sign() == Sign::Minus, whole, fraction)
    }

    fn of(negative: bool, whole: &str, fraction: &str) -> Self {
        let whole = whole.trim_start_matches('0').to_owned();
        let fraction = fraction.trim_end_matches('0').to_owned();
        Self { negative: negative && !(whole.is_empty() && fraction.is_empty()), whole, fraction }
    }

    /// By the amount, the sign aside.
    fn cmp_amount(&self, other: &Self) -> Ordering {
        self.whole
            .len()
            .cmp(&other.whole.len())
            .then_with(|| self.whole.cmp(&other.whole))
            .then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl FromStr for Decimal {
    type Err = ();

    /// Reads `-12.50`. Exponents, infinities and what is no number are not keys.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let is_number = digits.len() <= MOST_DIGITS
            && !(whole.is_empty() && fraction.is_empty())
            && [whole, fraction].iter().all(|part| part.bytes().all(|digit| digit.is_ascii_digit()));
        if is_number { Ok(Self::of(negative, whole, fraction)) } else { Err(()) }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_amount(other),
            (true, true) => other.cmp_amount(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let whole = if self.whole.is_empty() { "0" } else { &self.whole };
        write!(f, "{sign}{whole}")?;
        if self.fraction.is_empty() { Ok(()) } else { write!(f, ".{}", self.fraction) }
    }
}
