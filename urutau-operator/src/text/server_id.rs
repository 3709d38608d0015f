//! The number under which a pipeline reads a `MySQL` server's binary log.

use std::fmt;

use super::{Text, Unreadable};

/// A `MySQL` `server_id`, compared as the number it is: `01101` is `1101`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(u32);

impl ServerId {
    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl Text for ServerId {
    const KIND: &'static str = "server-id";
    const STAND_IN: &'static str = "1";

    fn read(text: &str) -> Result<Self, Unreadable> {
        let number = Some(text).filter(|text| text.bytes().all(|c| c.is_ascii_digit()));
        match number.and_then(|text| text.parse::<u32>().ok()) {
            Some(number) if number > 0 => Ok(Self(number)),
            _ => Err(Unreadable::new(
                format!("{text:?} is not a server id"),
                r#"write a whole number from 1 to 4294967295 in quotes, such as "1101""#,
            )),
        }
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

super::as_text!(ServerId);
