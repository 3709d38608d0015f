//! Keys that are texts: their places on a line.
//!
//! The texts over an alphabet that are no longer than some length can be counted in their order, as words are in a
//! dictionary: each is followed by its own continuations. That gives every text a place, and every place a text.

use num_bigint::BigInt;

/// Letters in their order, as spans of code points.
type Alphabet = &'static [(char, char)];

/// The alphabets that keys are commonly written in, each followed by those that hold it. The narrower one is, the better
/// is the guess of where keys may lie. The last has all that there is.
const ALPHABETS: [Alphabet; 8] = [
    &[('0', '9')],
    &[('0', '9'), ('a', 'f')],
    &[('0', '9'), ('A', 'Z')],
    &[('0', '9'), ('a', 'z')],
    &[('0', '9'), ('A', 'Z'), ('a', 'z')],
    &[(' ', '~')],
    &[(' ', '\u{d7ff}'), ('\u{e000}', char::MAX)],
    &[('\0', '\u{d7ff}'), ('\u{e000}', char::MAX)],
];

/// How many places there are to be for each range: more of them make ranges more even, and split points longer.
const PLACES: u32 = 256;
/// The most letters of a sample that are looked at, those aside that all keys begin with.
const LONGEST: usize = 32;

/// A line on which every text between two others has a place.
pub(super) struct Texts {
    /// What all of them begin with.
    prefix: String,
    alphabet: Alphabet,
    /// At index `n`: how many texts there are of at most `n` letters. The last is that of the longest.
    counts: Vec<BigInt>,
}

impl Texts {
    /// A line from one text to another, with places for so many ranges, on which these samples can be told apart.
    ///
    /// # Errors
    /// How many texts there are, when those are fewer than the ranges.
    pub(super) fn new(min: &str, max: &str, samples: &[&str], number: u32) -> Result<Self, u32> {
        let prefix: String = min.chars().zip(max.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let rest = |text: &str| text.strip_prefix(&prefix).unwrap_or_default().to_owned();
        let (min, max) = (rest(min), rest(max));
        let samples: Vec<String> = samples.iter().map(|sample| rest(sample)).collect();
        let holds_all = |alphabet: &Alphabet| {
            samples.iter().chain([&min, &max]).all(|text| text.chars().all(|letter| index(alphabet, letter).is_some()))
        };
        let mut few = 1;
        for alphabet in ALPHABETS.into_iter().filter(holds_all) {
            let mut line = Self { prefix: prefix.clone(), alphabet, counts: vec![BigInt::from(1)] };
            match between(alphabet, &min, &max) {
                Some(count) if count < number => few = count,
                Some(_) => {
                    line.reach(max.chars().count());
                    return Ok(line);
                }
                None => {
                    line.reach(samples.iter().map(|sample| sample.chars().count().min(LONGEST)).max().unwrap_or(1));
                    let wanted = BigInt::from(u64::from(number) * u64::from(PLACES));
                    while line.rank(&max) - line.rank(&min) < wanted {
                        line.reach(2 * line.length());
                    }
                    return Ok(line);
                }
            }
        }
        Err(few)
    }

    /// The place of a text, of which the letters beyond the longest are not looked at.
    pub(super) fn place(&self, text: &str) -> BigInt {
        self.rank(text.strip_prefix(&self.prefix).unwrap_or_default())
    }

    /// The text at a place.
    pub(super) fn text(&self, place: &BigInt) -> String {
        let mut text = self.prefix.clone();
        let mut rest = place.clone();
        for count in self.counts.iter().rev().skip(1) {
            if rest == BigInt::default() {
                break;
            }
            rest -= 1;
            let letter = &rest / count;
            rest %= count;
            text.extend(u32::try_from(letter).ok().and_then(|index| letter_at(self.alphabet, index)));
        }
        text
    }

    /// How many letters the longest text has that has a place.
    fn length(&self) -> usize {
        self.counts.len() - 1
    }

    /// Lets texts of so many letters have places.
    fn reach(&mut self, length: usize) {
        let size = size(self.alphabet);
        let mut last = self.counts.last().cloned().unwrap_or_default();
        while self.counts.len() <= length.max(1) {
            last = last * size + 1;
            self.counts.push(last.clone());
        }
    }

    /// The place of what follows the prefix.
    fn rank(&self, rest: &str) -> BigInt {
        let counts = self.counts.iter().rev().skip(1);
        let letters = rest.chars().filter_map(|letter| index(self.alphabet, letter));
        letters.zip(counts).map(|(letter, count)| count * letter + 1).sum()
    }
}

/// How many texts over an alphabet there are from one to another, both included, when they can be counted: between two
/// texts there is no end of others, unless the one is the other followed by nothing but first letters.
fn between(alphabet: Alphabet, min: &str, max: &str) -> Option<u32> {
    let more = max.strip_prefix(min)?;
    let first = letter_at(alphabet, 0);
    let is_next = more.chars().all(|letter| Some(letter) == first);
    is_next.then(|| u32::try_from(more.chars().count()).map_or(u32::MAX, |more| more.saturating_add(1)))
}

fn size(alphabet: Alphabet) -> u32 {
    alphabet.iter().map(|(first, last)| u32::from(*last) - u32::from(*first) + 1).sum()
}

fn index(alphabet: Alphabet, letter: char) -> Option<u32> {
    let mut before = 0;
    for (first, last) in alphabet {
        if (*first..=*last).contains(&letter) {
            return Some(before + u32::from(letter) - u32::from(*first));
        }
        before += u32::from(*last) - u32::from(*first) + 1;
    }
    None
}

fn letter_at(alphabet: Alphabet, index: u32) -> Option<char> {
    let mut rest = index;
    for (first, last) in alphabet {
        let size = u32::from(*last) - u32::from(*first) + 1;
        if rest < size {
            return char::from_u32(u32::from(*first) + rest);
        }
        rest -= size;
    }
    None
}
