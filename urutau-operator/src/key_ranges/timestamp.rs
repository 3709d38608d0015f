//! Points in time, exactly.

use jiff::SignedDuration;
use jiff::civil::DateTime;
use num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

/// As many digits of a second as are told apart: nanoseconds.
pub(super) const MOST_SCALE: usize = 9;
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const SECOND: i128 = 1_000_000_000;
/// The beginning of the first year that RFC 3339 can write, in nanoseconds from 1970 on.
const YEAR_0: i128 = -62_167_219_200 * SECOND;
/// The end of the last one.
const YEAR_10000: i128 = 253_402_300_800 * SECOND;
/// The largest offset, 23:59.
const MOST_OFFSET: i128 = (23 * 60 + 59) * 60 * SECOND;

/// A point in time, to the nanosecond, in nanoseconds from 1970 on. The same moment is the same key in whatever zone it
/// is written.
///
/// It is a number and not a [`jiff::Timestamp`], which ends a day before RFC 3339 does: `9999-12-31T23:59:59Z` is a value
/// that databases hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i128);

impl Timestamp {
    /// How many digits of a second it takes to write it.
    pub(super) fn scale(self) -> usize {
        let mut rest = self.0.rem_euclid(SECOND);
        if rest == 0 {
            return 0;
        }
        let mut scale = MOST_SCALE;
        while rest % 10 == 0 {
            rest /= 10;
            scale -= 1;
        }
        scale
    }

    /// How many units of so many digits of a second it is from 1970 on; what is smaller than a unit is left out.
    pub(super) fn units(self, scale: usize) -> BigInt {
        BigInt::from(self.0.div_euclid(unit(scale)))
    }

    /// The moment that is so many units from 1970 on; the last one that there is where it were later.
    pub(super) fn of_units(units: &BigInt, scale: usize) -> Self {
        let nanoseconds = i128::try_from(units).ok().and_then(|units| units.checked_mul(unit(scale)));
        let last = YEAR_10000 + MOST_OFFSET - 1;
        Self(nanoseconds.unwrap_or(last).min(last))
    }
}

/// A unit in nanoseconds.
fn unit(scale: usize) -> i128 {
    (scale..MOST_SCALE).fold(1, |unit, _| unit * 10)
}

impl FromStr for Timestamp {
    type Err = ();

    /// Reads RFC 3339, with a `T` or a blank before the time. What can't be kept exactly is refused: more than nine
    /// digits of a second, and leap seconds.
    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = text.as_bytes();
        let digits =
            |from: usize, to: usize| bytes.get(from..to).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
        let is = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
        let is_rfc = digits(0, 4)
            && is(4, b"-")
            && digits(5, 7)
            && is(7, b"-")
            && digits(8, 10)
            && is(10, b"Tt ")
            && digits(11, 13)
            && is(13, b":")
            && digits(14, 16)
            && is(16, b":")
            && digits(17, 19)
            && bytes.get(17..19).is_some_and(|second| second < b"60".as_slice());
        if !is_rfc {
            return Err(());
        }
        let fraction = fraction(bytes.get(19..).unwrap_or_default()).ok_or(())?;
        let (civil, zone) = text.split_at_checked(19 + fraction).ok_or(())?;
        let offset = offset(zone.as_bytes()).ok_or(())?;
        let civil: DateTime = civil.parse().map_err(drop)?;
        Ok(Self(civil.duration_since(EPOCH).as_nanos() - offset))
    }
}

/// How many letters a fraction of a second takes that stands here, if there is one; none where it is too long.
fn fraction(rest: &[u8]) -> Option<usize> {
    let Some(rest) = rest.strip_prefix(b".") else { return Some(0) };
    let digits = rest.iter().take_while(|letter| letter.is_ascii_digit()).count();
    (1..=MOST_SCALE).contains(&digits).then_some(digits + 1)
}

/// An offset from UTC in nanoseconds.
fn offset(zone: &[u8]) -> Option<i128> {
    let (sign, digits) = match zone {
        b"Z" | b"z" => return Some(0),
        [b'+', h1, h2, b':', m1, m2] => (1, [h1, h2, m1, m2]),
        [b'-', h1, h2, b':', m1, m2] => (-1, [h1, h2, m1, m2]),
        _ => return None,
    };
    if !digits.iter().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let [h1, h2, m1, m2] = digits.map(|digit| i128::from(digit - b'0'));
    let (hours, minutes) = (h1 * 10 + h2, m1 * 10 + m2);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60 * SECOND)
}

/// In UTC; a moment that is beyond the years of RFC 3339 there, in the zone that is farthest off.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (offset, zone) = match self.0 {
            ..YEAR_0 => (MOST_OFFSET, "+23:59"),
            YEAR_0..YEAR_10000 => (0, "Z"),
            YEAR_10000.. => (-MOST_OFFSET, "-23:59"),
        };
        let (seconds, nanoseconds) = ((self.0 + offset).div_euclid(SECOND), (self.0 + offset).rem_euclid(SECOND));
        // Both are small enough, as is the sum: no moment is farther from 1970 than the years above and an offset.
        let seconds = i64::try_from(seconds).unwrap_or_default();
        let civil = SignedDuration::new(seconds, i32::try_from(nanoseconds).unwrap_or_default());
        let civil = EPOCH.checked_add(civil).map_err(|_| fmt::Error)?;
        write!(f, "{civil}{zone}")
    }
}
