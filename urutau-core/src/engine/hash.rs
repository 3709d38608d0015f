//! Hashes that are the same in every process and every build: they are kept in the status of owners.

use serde_json::Value;

const START: u64 = 0xcbf2_9ce4_8422_2325;
/// Two to the 64th by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of bytes: eight of them at a time, with all bits spread after each, so that no small change cancels another,
/// and sums of hashes stay good hashes.
pub(super) fn bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let start = START ^ (bytes.len() as u64).wrapping_mul(FACTOR);
    let step = |hash: u64, word: [u8; 8]| spread(hash ^ u64::from_le_bytes(word));
    let hash = words.iter().fold(start, |hash, word| step(hash, *word));
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    step(hash, last)
}

/// The hash of two hashes in their order.
pub(super) fn pair(first: u64, second: u64) -> u64 {
    spread(first.rotate_left(23) ^ second.wrapping_mul(FACTOR))
}

/// The last step of splitmix64.
fn spread(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The hash of a JSON value, whatever the order of its maps.
pub(super) fn value(json: &Value) -> u64 {
    match json {
        Value::Null => bytes(b"n"),
        Value::Bool(value) => bytes(if *value { b"t" } else { b"f" }),
        Value::Number(value) => number(&value.to_string()),
        Value::String(value) => text(value),
        Value::Array(items) => list(items.iter().map(value)),
        Value::Object(fields) => map(sum(fields.iter().map(|(key, field)| entry(key, value(field))))),
    }
}

/// The hash of a number as a JSON value, by its text.
pub(super) fn number(text: &str) -> u64 {
    pair(1, bytes(text.as_bytes()))
}

/// The hash of a text as a JSON value.
pub(super) fn text(text: &str) -> u64 {
    pair(2, bytes(text.as_bytes()))
}

/// The hash of a list by the hashes of its items.
pub(super) fn list(items: impl ExactSizeIterator<Item = u64>) -> u64 {
    let start = pair(3, items.len() as u64);
    items.fold(start, pair)
}

/// The hash of a map by the [`sum`] of its entries.
pub(super) fn map(entries: u64) -> u64 {
    pair(4, entries)
}

/// The hash of an entry of a map by that of its value.
pub(super) fn entry(key: &str, value: u64) -> u64 {
    pair(bytes(key.as_bytes()), value)
}

/// The hash of a set of hashes, whatever their order.
pub(super) fn sum(hashes: impl IntoIterator<Item = u64>) -> u64 {
    hashes.into_iter().fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hashes_never_change() {
        // They are in the status of owners: a new value here would have every object written once more.
        assert_eq!(bytes(b"urutau"), 0x6fbb_bbec_8aa6_2980);
        assert_eq!(value(&json!({"a": [1, true, null], "b": {"c": "d"}})), 0xa196_4e42_20b7_872d);
    }

    #[test]
    fn what_differs_hashes_differently() {
        let values = [
            json!(null),
            json!(false),
            json!(0),
            json!("0"),
            json!([]),
            json!({}),
            json!([0, 1]),
            json!([1, 0]),
            json!([[0], 1]),
            json!({"a": 0, "b": 1}),
            json!({"a": 1, "b": 0}),
            json!({"a": {"b": 1}}),
        ];
        for (i, a) in values.iter().enumerate() {
            for b in &values[i + 1..] {
                assert_ne!(value(a), value(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn changes_of_two_words_do_not_cancel_each_other() {
        let mut hashes = std::collections::BTreeSet::new();
        for (a, b, c) in (0..32).flat_map(|a| (0..32).flat_map(move |b| (0..32).map(move |c| (a, b, c)))) {
            let mut text = *b"aaaaaaaaaaaaaaaa";
            (text[7], text[11], text[15]) = (b'A' + a, b'A' + b, b'A' + c);
            hashes.insert(bytes(&text));
        }
        assert_eq!(hashes.len(), 32 * 32 * 32);
    }

    #[test]
    fn every_bit_counts_and_so_does_the_length() {
        let text: Vec<u8> = (1..=40).collect();
        let mut all = std::collections::BTreeSet::new();
        for length in 0..=text.len() {
            all.extend([text[..length].to_vec(), vec![0; length]]);
            all.extend((0..length * 8).map(|bit| {
                let mut changed = text[..length].to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                changed
            }));
        }
        let hashes: std::collections::BTreeSet<u64> = all.iter().map(|text| bytes(text)).collect();
        assert_eq!(hashes.len(), all.len());
    }

    #[test]
    fn the_order_of_a_map_does_not_count() {
        let (a, b) = (r#"{"x":1,"y":{"p":[],"q":2}}"#, r#"{"y":{"q":2,"p":[]},"x":1}"#);
        let hash = |text| value(&serde_json::from_str(text).unwrap());
        assert_eq!(hash(a), hash(b));
    }
}
