use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;

use super::{NANOS, Quantity};
use crate::text::Text as _;

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_canonical_form_is_the_api_servers() {
    let cases = [
        ("0", "0"),
        ("0m", "0"),
        ("00.000Gi", "0"),
        ("1", "1"),
        ("+5", "5"),
        ("5.", "5"),
        (".5", "500m"),
        ("0.5", "500m"),
        ("1.5", "1500m"),
        ("1000m", "1"),
        ("2500m", "2500m"),
        ("1000M", "1G"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("4.5Gi", "4608Mi"),
        ("1000Ki", "1000Ki"),
        // Read again, it is decimal.
        ("6281.25Ki", "6432000"),
        ("6432000", "6432k"),
        ("0.5Ki", "512"),
        ("1.5Ki", "1536"),
        ("0.0001Ki", "102400u"),
        ("0.1m", "100u"),
        ("0.1n", "1n"),
        ("1.0000000001", "1000000001n"),
        ("1e3", "1e3"),
        ("1000e0", "1e3"),
        ("15E2", "1500"),
        ("1e-3", "1e-3"),
        ("12e6", "12e6"),
        ("1E", "1E"),
        ("1000P", "1E"),
        ("-1.5", "-1500m"),
        ("-1.5Gi", "-1536Mi"),
        ("9223372036854775807", "9223372036854775807"),
        ("7Ei", "7Ei"),
        ("0.00000000000000000000000000000000000000000000000001Ei", "1n"),
        ("0000000000000000000000000000000000000000000000000000007", "7"),
        ("1e-999999", "1e-9"),
    ];
    for (text, expected) in cases {
        assert_eq!(quantity(text).to_string(), expected, "{text}");
    }
}

#[test]
fn sums_are_exact_and_keep_the_left_format() {
    let cases = [
        ("2", "500m", "2500m"),
        ("1", "500m", "1500m"),
        ("4Gi", "512Mi", "4608Mi"),
        ("2Gi", "512Mi", "2560Mi"),
        ("100M", "256Mi", "368435456"),
        ("256Mi", "100M", "368435456"),
        ("0", "512Mi", "512Mi"),
        ("512Mi", "0", "512Mi"),
        ("1e3", "1k", "2e3"),
        ("0.1", "0.2", "300m"),
        ("1n", "999999999n", "1"),
        ("9223372036854775807", "1", "9223372036854775808"),
    ];
    for (left, right, expected) in cases {
        assert_eq!((quantity(left) + quantity(right)).to_string(), expected, "{left} + {right}");
    }
    assert_eq!([quantity("1Gi"), quantity("1Gi")].into_iter().sum::<Quantity>().to_string(), "2Gi");
}

#[test]
fn equal_amounts_are_equal_however_they_are_written() {
    // Field case A-01.
    for (left, right) in
        [("0.5", "500m"), ("1000m", "1"), ("1024Mi", "1Gi"), ("1000M", "1G"), ("1e3", "1k"), ("0", "0m")]
    {
        assert_eq!(quantity(left), quantity(right));
    }
    assert!(quantity("1G") < quantity("1Gi"));
    assert!(quantity("999m") < quantity("1"));
}

#[test]
fn what_is_no_quantity_is_named_with_what_to_write() {
    let cases = [
        ("", r#""" is not a quantity; write a number with a suffix if it needs one, such as "2", "500m" or "4Gi""#),
        ("4GB", r#""4GB" is not a quantity; did you mean "4Gi"?"#),
        ("512mb", r#""512mb" is not a quantity; did you mean "512Mi"?"#),
        ("4gi", r#""4gi" is not a quantity; did you mean "4Gi"?"#),
        ("1K", r#""1K" is not a quantity; did you mean "1k"?"#),
        ("8Ei", r#""8Ei" is too large; write less than 8Ei, which is all that a quantity can hold"#),
        ("1e99", r#""1e99" is too large; write less than 8Ei, which is all that a quantity can hold"#),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<Quantity>().unwrap_err().to_string(), expected);
    }
    for text in
        [".", "-", "+", "1.2.3", "1 Gi", "Gi", "1e", "1e+", "1e1.5", "1e1e1", "--1", "1٣", "0x10", "1,5", " 1", "1m1"]
    {
        assert!(text.parse::<Quantity>().is_err(), "{text}");
    }
    assert_eq!(Quantity::read("-1").unwrap_err().to_string(), r#""-1" is negative; write 0 or more"#);
}

#[test]
fn json_may_hold_it_as_a_string_or_a_whole_number() {
    for (value, expected) in [(json!("2"), "2"), (json!(2), "2"), (json!("0.5"), "500m")] {
        let read: Quantity = serde_json::from_value(value).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), json!(expected));
    }
    for value in [json!(0.5), json!(-1), json!("-1"), json!(null), json!("2x"), json!([])] {
        assert!(serde_json::from_value::<Quantity>(value.clone()).is_err(), "{value}");
    }
}

/// A text with its exact value, computed as a fraction of whole numbers.
fn written() -> impl Strategy<Value = (String, i128)> {
    let suffixes = prop::sample::select(vec![
        ("n", 1, 1_000_000_000),
        ("u", 1, 1_000_000),
        ("m", 1, 1000),
        ("", 1, 1),
        ("k", 1000, 1),
        ("M", 1_000_000, 1),
        ("G", 1_000_000_000, 1),
        ("T", 1_000_000_000_000, 1),
        ("P", 1_000_000_000_000_000, 1),
        ("E", 1_000_000_000_000_000_000, 1),
        ("Ki", 1 << 10, 1),
        ("Mi", 1 << 20, 1),
        ("Gi", 1 << 30, 1),
        ("Ti", 1 << 40, 1),
        ("Pi", 1 << 50, 1),
        ("Ei", 1i128 << 60, 1),
        ("e3", 1000, 1),
        ("E+6", 1_000_000, 1),
        ("e-6", 1, 1_000_000),
    ]);
    (0i128..8000, prop::collection::vec(0u8..10, 0..7), suffixes).prop_filter_map(
        "larger than a quantity can be",
        |(whole, fraction, (suffix, times, by))| {
            let mut text = whole.to_string();
            let (mut number, mut divisor) = (whole, by);
            if !fraction.is_empty() {
                text.push('.');
            }
            for digit in fraction {
                _ = write!(text, "{digit}");
                number = number * 10 + i128::from(digit);
                divisor *= 10;
            }
            text.push_str(suffix);
            let scaled = number * times * NANOS;
            let nanos = scaled / divisor + i128::from(scaled % divisor != 0);
            (nanos <= super::MOST).then_some((text, nanos))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_is_worth_what_it_says((text, nanos) in written()) {
        prop_assert_eq!(quantity(&text).nanos(), nanos);
        prop_assert_eq!(quantity(&format!("-{text}")).nanos(), -nanos);
    }

    #[test]
    fn the_canonical_form_is_the_same_amount_and_stays((text, nanos) in written()) {
        let canonical = quantity(&text).to_string();
        prop_assert_eq!(quantity(&canonical).nanos(), nanos);
        // A binary unit may be gone, as from 6281.25Ki, and a number without any is decimal.
        let told_in_units = text.ends_with('i') == canonical.ends_with('i');
        let again = quantity(&canonical).to_string();
        prop_assert!(again == canonical || !told_in_units);
        prop_assert_eq!(quantity(&again).to_string(), again);
    }

    #[test]
    fn the_canonical_form_is_whole_and_as_short_as_it_can_be((text, nanos) in written()) {
        let canonical = quantity(&text).to_string();
        prop_assert!(!canonical.contains('.'));
        let number_ends = canonical.find(|c: char| !c.is_ascii_digit()).unwrap_or(canonical.len());
        let (number, suffix) = canonical.split_at(number_ends);
        let number: i128 = number.parse().unwrap();
        if nanos != 0 && suffix.ends_with('i') {
            prop_assert!(number % 1024 != 0 || suffix == "Ei");
        } else if nanos != 0 && suffix != "E" && !text.ends_with('i') {
            prop_assert!(number % 1000 != 0);
        }
    }

    #[test]
    fn sums_and_comparisons_are_of_the_amounts((left, a) in written(), (right, b) in written()) {
        let (left, right) = (quantity(&left), quantity(&right));
        prop_assert_eq!((left + right).nanos(), a + b);
        prop_assert_eq!(left + right, right + left);
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC*") {
        _ = text.parse::<Quantity>();
    }

    #[test]
    fn no_text_of_its_own_letters_makes_it_panic(text in "[-+.0-9eEKMGTPinumk]{0,40}") {
        if let Ok(read) = text.parse::<Quantity>() {
            prop_assert_eq!(quantity(&read.to_string()), read);
        }
    }
}
