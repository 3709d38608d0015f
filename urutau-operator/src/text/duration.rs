//! A length of time as Go writes it: `300ms`, `5m`, `1h30m`.

use std::fmt;
use std::time;

use super::{Text, Unreadable};

/// A length of time, longer than nothing, kept as it was written: flags get the user's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duration {
    text: String,
    length: time::Duration,
}

/// The units, longest name first where one begins another, with their length in nanoseconds.
const UNITS: [(&str, u128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The longest that Go's own type can hold, in nanoseconds.
const LONGEST: u128 = i64::MAX as u128;

const FIX: &str = r#"write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#;

impl Duration {
    /// So many minutes.
    pub fn minutes(number: u32) -> Self {
        Self { text: format!("{number}m"), length: time::Duration::from_secs(60 * u64::from(number)) }
    }

    /// So many hours.
    pub fn hours(number: u32) -> Self {
        Self { text: format!("{number}h"), length: time::Duration::from_secs(3600 * u64::from(number)) }
    }

    /// How long it is.
    pub fn length(&self) -> time::Duration {
        self.length
    }
}

impl Text for Duration {
    const KIND: &'static str = "duration";
    const STAND_IN: &'static str = "1s";

    fn read(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new(format!("{text:?} is not a duration"), FIX);
        if text.starts_with('-') && Self::read(&text[1..]).is_ok() {
            return Err(Unreadable::new(format!("{text:?} is negative"), FIX));
        }
        let mut rest = text;
        let mut nanos = 0u128;
        while !rest.is_empty() {
            let (part, after) = part(rest).ok_or_else(unreadable)?;
            nanos += part;
            rest = after;
            if nanos > LONGEST {
                return Err(Unreadable::new(format!("{text:?} is longer than 292 years"), FIX));
            }
        }
        if text.is_empty() {
            return Err(unreadable());
        }
        let length = u64::try_from(nanos).map(time::Duration::from_nanos).map_err(|_| unreadable())?;
        if length.is_zero() {
            return Err(Unreadable::new(format!("{text:?} is no time at all"), FIX));
        }
        Ok(Self { text: text.to_owned(), length })
    }
}

/// One number and its unit, in nanoseconds, and what follows.
fn part(text: &str) -> Option<(u128, &str)> {
    let (whole, rest) = digits(text);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => digits(rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_ends = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(unit_ends);
    let (_, nanos) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    let number = |digits: &str| {
        if digits.is_empty() { Some(0) } else { digits.parse::<u64>().ok() }
    };
    // No unit has more than thirteen decimal places of nanoseconds; what is finer is cut off, as Go does.
    let fraction = &fraction[..fraction.len().min(18)];
    let scale = 10u128.pow(u32::try_from(fraction.len()).ok()?);
    let total = u128::from(number(whole)?) * nanos + u128::from(number(fraction)?) * nanos / scale;
    Some((total, rest))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

super::as_text!(Duration);
