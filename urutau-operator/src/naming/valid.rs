//! What Kubernetes takes for a name, and how any text is made into one.

/// The letters of a hash: those of Kubernetes' own name suffixes, which neither form words nor look alike.
const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
/// The length of a hash in a name: 38 bits.
const HASH: usize = 8;

/// What a name may be made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Lower case letters, digits and dashes.
    Label,
    /// Labels with dots between them.
    Subdomain,
    /// Letters, digits, dashes, underscores and dots.
    Key,
}

/// Whether this is a DNS label.
pub(crate) fn is_label(text: &str) -> bool {
    let is_end = |c: Option<&u8>| c.is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let bytes = text.as_bytes();
    bytes.len() <= 63 && is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(|c| is_of_label(*c))
}

/// Whether this is a DNS subdomain: the name of most objects.
pub(super) fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

/// Whether a key of a `ConfigMap` may hold this character.
pub(super) fn is_of_key(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.')
}

fn is_of_label(c: u8) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-'
}

/// Makes a valid name of at most so many characters from any text: what fits stays readable, and a hash of the
/// original tells it from every other.
pub(super) fn cut_to(room: usize, text: &str, original: &str, alphabet: Alphabet) -> String {
    let clean: String = text.chars().map(|c| replaced(c, alphabet)).collect();
    let kept: String = clean.chars().take(room - HASH - 1).collect();
    let labels = kept.split('.').map(|label| label.trim_matches('-')).filter(|label| !label.is_empty());
    let mut name = labels.collect::<Vec<_>>().join(".");
    if !name.is_empty() {
        name.push('-');
    }
    name.push_str(&hash(original));
    name
}

fn replaced(c: char, alphabet: Alphabet) -> char {
    let c = if alphabet == Alphabet::Key { c } else { c.to_ascii_lowercase() };
    let fits = u8::try_from(c).is_ok_and(|c| match alphabet {
        Alphabet::Label => is_of_label(c),
        Alphabet::Subdomain => is_of_label(c) || c == b'.',
        Alphabet::Key => is_of_key(c),
    });
    if fits { c } else { '-' }
}

/// A short hash of a text. FNV-1a, written out: a name made with it must be the same in every version.
fn hash(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // FNV mixes its upper half less than its lower half.
    let mut rest = hash ^ (hash >> 32);
    let mut letters = String::with_capacity(HASH);
    for _ in 0..HASH {
        letters.push(char::from(LETTERS[(rest % 27) as usize]));
        rest /= 27;
    }
    letters
}
