//! The size of a file: `512Mi`.

use std::fmt;

use super::{Text, Unreadable};

/// A number of bytes, more than none, in binary units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    bytes: u64,
}

/// The units and how far each shifts a number.
const UNITS: [(&str, u32); 4] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40)];

const FIX: &str = r#"write a whole number of Ki, Mi, Gi or Ti, such as "512Mi""#;

impl Size {
    /// A size of so many mebibytes.
    pub const fn mebibytes(number: u32) -> Self {
        Self { bytes: (number as u64) << 20 }
    }

    /// How many bytes it is.
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
}

impl Text for Size {
    const KIND: &'static str = "size";
    const STAND_IN: &'static str = "1Mi";

    fn read(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new(format!("{text:?} is not a size"), FIX);
        let (number, shift) = UNITS
            .into_iter()
            .find_map(|(unit, shift)| text.strip_suffix(unit).map(|number| (number, shift)))
            .ok_or_else(unreadable)?;
        if number.is_empty() || !number.bytes().all(|c| c.is_ascii_digit()) {
            return Err(unreadable());
        }
        let bytes = number
            .parse::<u64>()
            .ok()
            .and_then(|number| number.checked_mul(1 << shift))
            .filter(|bytes| i64::try_from(*bytes).is_ok())
            .ok_or_else(|| Unreadable::new(format!("{text:?} is too large"), FIX))?;
        if bytes == 0 {
            return Err(Unreadable::new(format!("{text:?} is nothing"), FIX));
        }
        Ok(Self { bytes })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS.into_iter().rev().find(|(_, shift)| self.bytes.is_multiple_of(1 << shift));
        match largest {
            Some((unit, shift)) => write!(f, "{}{unit}", self.bytes >> shift),
            None => write!(f, "{}", self.bytes),
        }
    }
}

super::as_text!(Size);
