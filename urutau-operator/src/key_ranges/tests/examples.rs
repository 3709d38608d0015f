//! Examples that can be checked by eye.

use super::*;

fn splits(key_type: KeyType, min: &str, max: &str, number: u32) -> Vec<String> {
    let ranges = KeyRanges::compute(&sampled(key_type, min, max), number).unwrap();
    ranges.splits().iter().map(Key::text).collect()
}

#[test]
fn without_samples_ranges_are_even() {
    assert_eq!(splits(KeyType::Integer, "1", "900000", 3), ["300001", "600001"]);
    assert_eq!(splits(KeyType::Integer, "-9223372036854775808", "9223372036854775807", 2), ["0"]);
    assert_eq!(
        splits(KeyType::Integer, "0", "18446744073709551615", 4),
        ["4611686018427387904", "9223372036854775808", "13835058055282163712"]
    );
    assert_eq!(splits(KeyType::Integer, "5", "7", 3), ["6", "7"]);
    assert_eq!(
        splits(KeyType::Uuid, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", 4),
        [
            "40000000-0000-0000-0000-000000000000",
            "80000000-0000-0000-0000-000000000000",
            "c0000000-0000-0000-0000-000000000000",
        ]
    );
    assert_eq!(splits(KeyType::Decimal, "-0.05", "0.04", 5), ["-0.03", "-0.01", "0.01", "0.03"]);
    assert_eq!(
        splits(KeyType::Decimal, "0", "100000000000000000000000000000000000000000", 2),
        ["50000000000000000000000000000000000000000"]
    );
    assert_eq!(
        splits(KeyType::Timestamp, "2026-01-01T00:00:00Z", "2026-01-01T00:00:59+00:00", 2),
        ["2026-01-01T00:00:30Z"]
    );
    assert_eq!(splits(KeyType::Timestamp, "9999-12-31T23:59:58Z", "9999-12-31T23:59:59Z", 2), ["9999-12-31T23:59:59Z"]);
    assert_eq!(
        splits(KeyType::Timestamp, "2026-01-01T00:00:00.000000001Z", "2026-01-01T01:00:00.000000002+01:00", 2),
        ["2026-01-01T00:00:00.000000002Z"]
    );
}

#[test]
fn texts_are_split_within_the_letters_that_keys_are_written_in() {
    let cases: [(&str, &str, &str); 7] = [
        ("0000", "9999", "50"),
        ("order-0000", "order-9999", "order-50"),
        ("00", "ff", "7"),
        ("a", "z", "m"),
        ("0AAAAA", "ZZZZZZ", "I"),
        ("Anna", "zoe", "a"),
        ("äpfel", "öl", "í"),
    ];
    for (min, max, begins) in cases {
        let split = splits(KeyType::String, min, max, 2).remove(0);
        assert!(split.starts_with(begins), "{min} to {max}: {split:?}");
        assert!(split.chars().all(|letter| !letter.is_control()), "{split:?}");
    }
}

/// Between two texts there are few others only where the one is the other with the first of all letters behind it.
#[test]
fn texts_between_which_nothing_fits() {
    assert_eq!(splits(KeyType::String, "a", "a\0\0", 3), ["a\0", "a\0\0"]);
    assert_eq!(splits(KeyType::String, "1", "10", 2), ["10"]);
    assert_eq!(splits(KeyType::String, "1", "10", 5).len(), 4, "other letters than digits are in between");
    assert_eq!(KeyRanges::compute(&sampled(KeyType::String, "a", "a\0\0"), 4).unwrap_err().keys, 3);
    assert_eq!(splits(KeyType::String, "a", "a\u{1}", 50).len(), 49);
    assert_eq!(splits(KeyType::String, "", "\u{10ffff}", 50).len(), 49);
}

#[test]
fn long_texts_are_split_too() {
    let long = "x".repeat(3000);
    for (min, max) in [
        (String::new(), long.clone()),
        (long.clone(), format!("{long}z")),
        (format!("a{long}"), "b".to_owned()),
        ("a".to_owned(), format!("a{}1", "0".repeat(500))),
    ] {
        assert_eq!(splits(KeyType::String, &min, &max, 8).len(), 7);
    }
}

#[test]
fn samples_say_where_keys_are_dense() {
    let samples: Vec<String> =
        (0..100).map(|i| if i < 90 { i.to_string() } else { (i * 10_000).to_string() }).collect();
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    let ranges = KeyRanges::compute(&sampled_with(KeyType::Integer, "0", "1000000", &samples), 4).unwrap();
    let mut counts = [0; 4];
    for sample in &samples {
        counts[ranges.find(&KeyType::Integer.parse(sample).unwrap()).unwrap() as usize] += 1;
    }
    assert!(counts.iter().all(|count| (23..=27).contains(count)), "{counts:?}");

    let names: Vec<String> = (0..100).map(|i| format!("user-{i:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ranges = KeyRanges::compute(&sampled_with(KeyType::String, "aaron", "zoe", &names), 4).unwrap();
    let mut counts = [0; 4];
    for name in &names {
        counts[ranges.find(&Key::String((*name).to_owned())).unwrap() as usize] += 1;
    }
    assert!(counts.iter().all(|count| (22..=28).contains(count)), "{counts:?}");
}

/// One key can't be in two ranges, however often it was met.
#[test]
fn samples_that_are_all_the_same_leave_no_range_empty() {
    for number in [2, 5, 11] {
        let ranges = KeyRanges::compute(&sampled_with(KeyType::Integer, "0", "10", &["10"; 20]), number).unwrap();
        let found: std::collections::BTreeSet<u32> =
            (0..=10).map(|key| ranges.find(&Key::Integer(key)).unwrap()).collect();
        assert_eq!(found.len(), number as usize, "{ranges:?}");
    }
}

#[test]
fn fewer_keys_than_workers_are_told() {
    let few = |key_type, min, max| KeyRanges::compute(&sampled(key_type, min, max), 5).unwrap_err().to_string();
    assert_eq!(few(KeyType::Integer, "1", "3"), "5 workers, but there can be only 3 keys from 1 to 3");
    assert_eq!(few(KeyType::String, "a", "a"), "5 workers, but there can be only one key from \"a\" to \"a\"");
    assert_eq!(few(KeyType::Decimal, "1.5", "1.6"), "5 workers, but there can be only 2 keys from 1.5 to 1.6");
    assert_eq!(
        few(KeyType::Timestamp, "2026-01-01T00:00:00Z", "2026-01-01T00:00:02Z"),
        "5 workers, but there can be only 3 keys from 2026-01-01T00:00:00Z to 2026-01-01T00:00:02Z"
    );
}

#[test]
fn one_range_is_everything() {
    let one = KeyRanges::compute(&sampled(KeyType::Integer, "7", "7"), 1).unwrap();
    assert_eq!(one, KeyRanges::whole(KeyType::Integer));
    assert_eq!((one.number(), one.find(&Key::Integer(-1))), (1, Ok(0)));
    let error = one.find(&Key::String("x".into())).unwrap_err();
    assert_eq!(error.to_string(), "a key of type string, but the ranges are of type integer");
}

#[test]
fn ranges_in_words() {
    let ranges = KeyRanges::compute(&sampled(KeyType::Integer, "1", "30"), 3).unwrap();
    let words: Vec<String> = ranges.iter().map(|range| range.of_column("id")).collect();
    assert_eq!(words, ["id < 11", "11 <= id < 21", "21 <= id"]);
    assert_eq!(KeyRanges::whole(KeyType::Uuid).iter().next().unwrap().of_column("id"), "every id");
}

#[test]
fn kept_splits_have_to_be_of_one_type_and_increase() {
    let keys = |texts: &[&str]| texts.iter().map(|text| KeyType::Integer.parse(text).unwrap()).collect::<Vec<_>>();
    assert!(KeyRanges::from_splits(KeyType::Integer, keys(&["1", "2", "10"])).is_some());
    for bad in [keys(&["2", "1"]), keys(&["1", "1"]), vec![Key::Uuid(1)]] {
        assert_eq!(KeyRanges::from_splits(KeyType::Integer, bad), None);
    }
}

#[test]
fn the_column_is_the_one_that_the_table_is_cut_by() {
    let table = |fields: serde_json::Value| {
        let mut table = serde_json::json!({ "source": "a", "target": "b" });
        table.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        serde_json::from_value::<Table>(table).unwrap()
    };
    let column = |fields| super::column(&table(fields)).map(str::to_owned);
    assert_eq!(column(serde_json::json!({ "primaryKey": ["shop", "id"] })).as_deref(), Some("shop"));
    let chunked = serde_json::json!({ "primaryKey": ["shop", "id"], "chunkColumn": "id" });
    assert_eq!(column(chunked).as_deref(), Some("id"));
    assert_eq!(column(serde_json::json!({})), None);
}
