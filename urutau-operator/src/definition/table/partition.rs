//! How a target is partitioned.

use std::fmt;

use crate::text::{Text, Unreadable, as_text};

/// One partition expression, such as `day(created_at)` or `bucket(16,id)`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partition {
    /// What is made of the column.
    pub transform: Transform,
    /// The column.
    pub column: String,
}

/// What is made of a column's value to find its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transform {
    /// The day.
    Day,
    /// The month.
    Month,
    /// The year.
    Year,
    /// The hour.
    Hour,
    /// The value itself.
    Identity,
    /// One of so many buckets.
    Bucket(u32),
    /// The value cut to this width.
    Truncate(u32),
}

const FIX: &str = "write day(column), month, year, hour or identity, bucket(N,column) or truncate(N,column)";

impl Text for Partition {
    const KIND: &'static str = "partition";
    const STAND_IN: &'static str = "identity(_)";

    fn read(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new(format!("{text:?} is not a partition expression"), FIX);
        let (name, rest) = text.trim().split_once('(').ok_or_else(unreadable)?;
        let arguments = rest.strip_suffix(')').ok_or_else(unreadable)?;
        let (number, column) = match arguments.split_once(',') {
            Some((number, column)) => (Some(number.trim()), column.trim()),
            None => (None, arguments.trim()),
        };
        let is_column = |c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | ',');
        if column.is_empty() || !column.chars().all(is_column) {
            return Err(unreadable());
        }
        let plain = |transform| {
            if number.is_none() { Ok(transform) } else { Err(unreadable()) }
        };
        let sized = |transform: fn(u32) -> Transform| {
            let number = number.filter(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()));
            match number.ok_or_else(unreadable)?.parse() {
                Ok(number) if number > 0 => Ok(transform(number)),
                Ok(_) => Err(Unreadable::new(format!("{text:?} has a size of 0"), "write a size of 1 or more")),
                Err(_) => Err(unreadable()),
            }
        };
        let transform = match name.trim() {
            "day" => plain(Transform::Day),
            "month" => plain(Transform::Month),
            "year" => plain(Transform::Year),
            "hour" => plain(Transform::Hour),
            "identity" => plain(Transform::Identity),
            "bucket" => sized(Transform::Bucket),
            "truncate" => sized(Transform::Truncate),
            _ => Err(unreadable()),
        }?;
        Ok(Self { transform, column: column.to_owned() })
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = &self.column;
        match self.transform {
            Transform::Day => write!(f, "day({column})"),
            Transform::Month => write!(f, "month({column})"),
            Transform::Year => write!(f, "year({column})"),
            Transform::Hour => write!(f, "hour({column})"),
            Transform::Identity => write!(f, "identity({column})"),
            Transform::Bucket(number) => write!(f, "bucket({number},{column})"),
            Transform::Truncate(width) => write!(f, "truncate({width},{column})"),
        }
    }
}

as_text!(Partition);
