//! Writing a quantity in the canonical form: the largest suffix that leaves a whole number.

use std::fmt;

use super::parse::{BINARY, DECIMAL};
use super::{Format, NANOS, Quantity};

/// Writes the quantity as the API server stores it.
pub(super) fn write(quantity: Quantity, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if quantity.is_zero() {
        return f.write_str("0");
    }
    match quantity.format {
        Format::Binary if is_told_in_binary(quantity) => binary(quantity.nanos / NANOS, f),
        Format::Binary | Format::Decimal => decimal(quantity.nanos, f),
        Format::Exponent => exponent(quantity.nanos, f),
    }
}

/// Only whole numbers of at least a Ki are told in binary units; the rest would lose precision or confuse.
fn is_told_in_binary(quantity: Quantity) -> bool {
    quantity.nanos % NANOS == 0 && quantity.nanos.abs() >= 1024 * NANOS
}

fn binary(number: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let largest = BINARY.into_iter().rev().find(|(_, shift)| number % (1 << shift) == 0);
    match largest {
        Some((suffix, shift)) => write!(f, "{}{suffix}", number >> shift),
        None => write!(f, "{number}"),
    }
}

fn decimal(nanos: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (number, power) = thousands(nanos);
    let suffix = DECIMAL.into_iter().find(|(_, known)| *known == power).map_or("", |(suffix, _)| suffix);
    write!(f, "{number}{suffix}")
}

fn exponent(nanos: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match thousands(nanos) {
        (number, 0) => write!(f, "{number}"),
        (number, power) => write!(f, "{number}e{power}"),
    }
}

/// The amount as a whole number times a power of ten that is a multiple of three, and as large as it can be.
fn thousands(nanos: i128) -> (i128, i32) {
    let (mut number, mut power) = (nanos, -9);
    while number % 1000 == 0 && power < 18 {
        number /= 1000;
        power += 3;
    }
    (number, power)
}
