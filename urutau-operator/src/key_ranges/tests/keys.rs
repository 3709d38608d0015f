//! What is a key of which type.

use super::*;
use serde_json::{Value, json};

#[test]
fn keys_are_told_apart_by_value() {
    let same: [(KeyType, &[&str]); 5] = [
        (KeyType::Integer, &["7", "+7", "007"]),
        (KeyType::Uuid, &["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"]),
        (KeyType::Decimal, &["1.5", "1.50", "+01.5"]),
        (KeyType::Decimal, &["0", "-0", "-0.00", "0.", ".0"]),
        (KeyType::Timestamp, &["2026-01-31T12:00:00Z", "2026-01-31 13:00:00.000+01:00", "2026-01-31t12:00:00z"]),
    ];
    for (key_type, texts) in same {
        for text in texts {
            assert_eq!(key_type.parse(text), key_type.parse(texts[0]), "{text}");
            assert!(key_type.parse(text).is_ok(), "{text}");
        }
    }
}

#[test]
fn keys_are_in_order() {
    let ordered: [(KeyType, &[&str]); 5] = [
        (KeyType::Integer, &["-9223372036854775808", "-1", "0", "9", "10", "18446744073709551615"]),
        (KeyType::String, &["", "\0", "A", "Z", "a", "a\0", "aa", "b", "ä", "\u{ffff}", "\u{10000}"]),
        (
            KeyType::Decimal,
            &[
                "-10",
                "-9.9",
                "-9.89",
                "-0.001",
                "0",
                "0.0009",
                "0.001",
                "0.01",
                "1",
                "1.000000000000000000001",
                "9",
                "10",
            ],
        ),
        (KeyType::Uuid, &["00000000-0000-0000-0000-00000000000a", "0a000000-0000-0000-0000-000000000000"]),
        (
            KeyType::Timestamp,
            &[
                "0000-01-01T00:00:00+23:59",
                "0000-01-01T00:00:00+01:00",
                "0000-01-01T00:00:00Z",
                "0001-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999999Z",
                "1970-01-01T00:00:00Z",
                "9999-12-30T22:00:00Z",
                "9999-12-31T23:59:59Z",
                "9999-12-31T23:59:59.999999999Z",
                "9999-12-31T23:59:59-12:00",
                "9999-12-31T23:59:59.999999999-23:59",
            ],
        ),
    ];
    for (key_type, texts) in ordered {
        let keys: Vec<Key> = texts.iter().map(|text| key_type.parse(text).unwrap()).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
    }
}

/// The last moments of the last year are what databases write for no end.
#[test]
fn timestamps_are_written_in_the_years_that_there_are() {
    let cases = [
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("2026-01-31T13:30:00.250+01:30", "2026-01-31T12:00:00.25Z"),
        ("2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("0000-01-01T00:00:00+01:00", "0000-01-01T22:59:00+23:59"),
        ("9999-12-31T23:59:59.5-12:00", "9999-12-31T12:00:59.5-23:59"),
    ];
    for (text, written) in cases {
        let key = KeyType::Timestamp.parse(text).unwrap();
        assert_eq!(key.text(), written);
        assert_eq!(KeyType::Timestamp.parse(written), Ok(key));
    }
}

#[test]
fn what_is_no_key_is_told_with_what_to_write() {
    let refused: [(KeyType, &[&str]); 4] = [
        (
            KeyType::Integer,
            &["", "-", "1.0", "1e3", " 1", "0x1", "18446744073709551616", "-9223372036854775809", "--1", "٣"],
        ),
        (
            KeyType::Uuid,
            &[
                "",
                "123e4567",
                "123e4567-e89b-12d3-a456-42661417400",
                "123e-4567e89b-12d3-a456-426614174000",
                "{123e4567-e89b-12d3-a456-426614174000}",
            ],
        ),
        (KeyType::Decimal, &["", ".", "-", "1e3", "NaN", "Infinity", "1,5", "--1", "1.2.3", "٣"]),
        (
            KeyType::Timestamp,
            &[
                "2026-01-31",
                "2026-01-31T12:00:00",
                "2026-01-31T12:00Z",
                "2026-02-30T12:00:00Z",
                "2026-01-31T12:00:60Z",
                "2026-01-31T12:00:00.Z",
                "2026-01-31T12:00:00.0000000001Z",
                "2026-01-31T12:00:00+1",
                "2026-01-31T12:00:00Z[UTC]",
                "2026-01-31T12:00:00+24:00",
                "2026-01-31T12:00:00+25:00",
                "2026-01-31T12:00:00-01:60",
                "2026-01-31T24:00:00Z",
                "10000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "infinity",
                "1769860800",
            ],
        ),
    ];
    for (key_type, texts) in refused {
        for text in texts {
            let error = key_type.parse(text).unwrap_err().to_string();
            let begin = format!("{text:?} is not a key of type {key_type}; write ");
            assert!(error.starts_with(&begin), "{error}");
        }
    }
}

#[test]
fn json_and_yaml_hold_keys_only_where_no_digit_is_lost() {
    let read = |key_type: KeyType, value: Value| {
        key_type.read(&value).map(|key| key.text()).map_err(|error| error.to_string())
    };
    assert_eq!(read(KeyType::Integer, json!(18_446_744_073_709_551_615_u64)).unwrap(), "18446744073709551615");
    assert_eq!(read(KeyType::Integer, json!(-1)).unwrap(), "-1");
    assert_eq!(read(KeyType::Decimal, json!(12)).unwrap(), "12");
    assert_eq!(
        read(KeyType::Decimal, json!(1.5)).unwrap_err(),
        "1.5 is not a key of type decimal; write a number in quotes and in full, such as \"-12.50\""
    );
    assert_eq!(
        read(KeyType::Integer, json!(10.0)).unwrap_err(),
        "10.0 is not a key of type integer: a number with a point, an exponent or a zero in front is read so; write a \
         whole number from -9223372036854775808 to 18446744073709551615"
    );
    assert_eq!(read(KeyType::String, json!(7)).unwrap_err(), "7 is not a key of type string; write a text in quotes");
    for value in [json!(null), json!(true), json!([1]), json!({ "a": 1 }), json!(1e300)] {
        assert!(KeyType::Integer.read(&value).is_err(), "{value}");
    }
    let long = KeyType::Integer.parse(&"x".repeat(1000)).unwrap_err().to_string();
    assert!(long.len() < 250, "{long}");
}
