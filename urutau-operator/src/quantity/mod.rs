//! Amounts of cpu, memory and disk, computed exactly.
//!
//! A quantity is what the Kubernetes API calls one: a decimal number with an SI suffix (`500m`, `2`, `100M`), a binary
//! one (`4Gi`) or an exponent (`1e3`). It is held as a whole number of nanos, so that sums and comparisons lose
//! nothing, and is written as the API server itself would store it. Writing any other form of the same amount would
//! make a later comparison see a difference where there is none.

mod canonical;
mod parse;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Add;
use std::{fmt, iter};

use k8s_openapi::apimachinery::pkg::api::resource::Quantity as ApiQuantity;

use crate::text::{Text, Unreadable};

/// The smallest amount there is, as a part of one.
const NANOS: i128 = 1_000_000_000;

/// The largest amount that can be written, in nanos. Kubernetes holds no more in a binary format.
const MOST: i128 = i64::MAX as i128 * NANOS;

/// An exact amount, and the kind of suffix that it was written with.
///
/// Equal amounts are equal however they were written: `0.5` is `500m`, and `1000M` is `1G`.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    nanos: i128,
    format: Format,
}

/// The kind of suffix, which a sum takes over from its left side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// `n`, `u`, `m`, none, `k`, `M`, `G`, `T`, `P`, `E`.
    Decimal,
    /// `Ki`, `Mi`, `Gi`, `Ti`, `Pi`, `Ei`.
    Binary,
    /// `e3`, `E-3`.
    Exponent,
}

impl Quantity {
    /// Nothing.
    pub const ZERO: Self = Self { nanos: 0, format: Format::Decimal };

    /// Whether it is nothing.
    pub const fn is_zero(self) -> bool {
        self.nanos == 0
    }

    /// Whether it is less than nothing.
    pub const fn is_negative(self) -> bool {
        self.nanos < 0
    }

    /// The amount in billionths.
    pub const fn nanos(self) -> i128 {
        self.nanos
    }

    /// The sum, in the format of the left side as the API's own arithmetic has it: `4Gi + 512Mi` is `4608Mi`.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let format = if self.is_zero() { other.format } else { self.format };
        let nanos = self.nanos.saturating_add(other.nanos);
        Self { nanos, format }
    }
}

impl Text for Quantity {
    const KIND: &'static str = "quantity";
    const STAND_IN: &'static str = "0";

    /// Reads an amount of something that can be used: one that is not negative.
    fn read(text: &str) -> Result<Self, Unreadable> {
        let quantity: Self = text.parse()?;
        if quantity.is_negative() {
            return Err(Unreadable::new(format!("{text:?} is negative"), "write 0 or more"));
        }
        Ok(quantity)
    }
}

impl Add for Quantity {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl iter::Sum for Quantity {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Self::plus)
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nanos.hash(state);
    }
}

impl From<Quantity> for ApiQuantity {
    fn from(quantity: Quantity) -> Self {
        Self(quantity.to_string())
    }
}

impl TryFrom<&ApiQuantity> for Quantity {
    type Error = Unreadable;

    fn try_from(quantity: &ApiQuantity) -> Result<Self, Unreadable> {
        quantity.0.parse()
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        canonical::write(*self, f)
    }
}
