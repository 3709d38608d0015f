//! Where keys are split.

use super::number::Numbers;
use super::text::Texts;
use super::{Key, SampledKeys};
use num_bigint::BigInt;
use std::fmt;

/// There are fewer keys than ranges to split them into.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooFewKeys {
    /// How many ranges there should be.
    pub number: u32,
    /// How many keys there can be from the smallest to the largest.
    pub keys: u32,
    /// The smallest key that was sampled, in words.
    pub min: String,
    /// The largest key that was sampled, in words.
    pub max: String,
}

/// The ends of so many ranges but for the last, strictly increasing, above the smallest and up to the largest key.
pub(super) fn splits(sampled: &SampledKeys, number: u32) -> Result<Vec<Key>, TooFewKeys> {
    let (min, max) = (sampled.min(), sampled.max());
    let few = |keys| TooFewKeys { number, keys, min: min.to_string(), max: max.to_string() };
    if number <= 1 {
        return Ok(Vec::new());
    }
    let (Key::String(least), Key::String(most)) = (min, max) else {
        let line = Numbers::new(sampled.key_type(), sampled.scale());
        return choose(sampled, number, |key| line.place(key), |place| line.key(place)).map_err(few);
    };
    let others: Vec<&str> = sampled.samples().iter().map(text).collect();
    let line = Texts::new(least, most, &others, number).map_err(few)?;
    choose(sampled, number, |key| line.place(text(key)), |place| Key::String(line.text(place))).map_err(few)
}

fn text(key: &Key) -> &str {
    if let Key::String(text) = key { text } else { "" }
}

/// Chooses split points on a line of places. Fails with the number of keys when those are too few.
fn choose(
    sampled: &SampledKeys,
    number: u32,
    place: impl Fn(&Key) -> BigInt,
    key: impl Fn(&BigInt) -> Key,
) -> Result<Vec<Key>, u32> {
    let min = place(sampled.min());
    let end: BigInt = place(sampled.max()) + 1;
    let size = end.clone() - &min;
    if size < BigInt::from(number) {
        return Err(u32::try_from(size).unwrap_or_default());
    }
    let knots: Vec<BigInt> = [min].into_iter().chain(sampled.samples().iter().map(place)).chain([end]).collect();
    Ok(even(&knots, number).iter().map(key).collect())
}

/// Places that split the way from the first knot to the last into so many parts. Between two knots that follow each other
/// there are taken to be as many keys as between any other two, spread evenly.
fn even(knots: &[BigInt], number: u32) -> Vec<BigInt> {
    let [first, .., last] = knots else { return Vec::new() };
    let mut places: Vec<BigInt> = Vec::new();
    for i in 1..number {
        let way = u64::from(i) * (knots.len() as u64 - 1);
        let (knot, rest) = (way / u64::from(number), way % u64::from(number));
        let (from, to) = match usize::try_from(knot).ok().and_then(|knot| knots.get(knot..knot + 2)) {
            Some([from, to]) => (from, to),
            _ => (last, last),
        };
        let place = from + (to - from) * rest / number;
        // Where samples coincide: above the one before, and with room for those behind.
        let lowest = places.last().unwrap_or(first) + 1_u32;
        let highest = last - (number - i);
        places.push(place.max(lowest).min(highest));
    }
    places
}

impl fmt::Display for TooFewKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, keys, min, max } = self;
        let keys = match keys {
            1 => "only one key".to_owned(),
            keys => format!("only {keys} keys"),
        };
        write!(f, "{number} workers, but there can be {keys} from {min} to {max}")
    }
}

impl std::error::Error for TooFewKeys {}
