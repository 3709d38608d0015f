//! Points in time, exactly.

use num_bigint::BigInt;
use std::fmt;
use std::str::FromStr;

/// As many digits of a second as are told apart: nanoseconds.
pub(super) const MOST_SCALE: usize = 9;
/// The beginning of the first year that RFC 3339 can write, in seconds from 1970 on.
const YEAR_0: i64 = -62_167_219_200;

/// A point in time, to the nanosecond. The same moment is the same key in whatever zone it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// How many digits of a second it takes to write it.
    pub(super) fn scale(self) -> usize {
        let nanoseconds = self.0.subsec_nanosecond().unsigned_abs();
        if nanoseconds == 0 {
            return 0;
        }
        let mut scale = MOST_SCALE;
        let mut rest = nanoseconds;
        while rest.is_multiple_of(10) {
            rest /= 10;
            scale -= 1;
        }
        scale
    }

    /// How many units of so many digits of a second it is from 1970 on; what is smaller than a unit is left out.
    pub(super) fn units(self, scale: usize) -> BigInt {
        BigInt::from(self.0.as_nanosecond().div_euclid(unit(scale)))
    }

    /// The moment that is so many units from 1970 on; the last one that there is where it were later.
    pub(super) fn of_units(units: &BigInt, scale: usize) -> Self {
        let nanoseconds = i128::try_from(units).ok().and_then(|units| units.checked_mul(unit(scale)));
        let time = nanoseconds.and_then(|nanoseconds| jiff::Timestamp::from_nanosecond(nanoseconds).ok());
        Self(time.unwrap_or(jiff::Timestamp::MAX))
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
            && bytes.get(17..19).is_some_and(|second| second < b"60".as_slice())
            && is_rest(bytes.get(19..).unwrap_or_default());
        if !is_rfc {
            return Err(());
        }
        // An offset may lead out of the years that can be written.
        text.parse().ok().filter(|time: &jiff::Timestamp| time.as_second() >= YEAR_0).map(Self).ok_or(())
    }
}

/// Whether this may stand behind the seconds: a fraction if there is one, and the offset.
fn is_rest(rest: &[u8]) -> bool {
    let fraction = rest.strip_prefix(b".").map_or(0, |rest| 1 + rest.iter().take_while(|c| c.is_ascii_digit()).count());
    let is_fraction = fraction != 1 && fraction <= 1 + MOST_SCALE;
    let offset = rest.get(fraction..).unwrap_or_default();
    let is_offset = match offset {
        b"Z" | b"z" => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit),
        _ => false,
    };
    is_fraction && is_offset
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
