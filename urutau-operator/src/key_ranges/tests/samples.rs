//! What may be said of a table's keys.

use super::*;
use crate::shape::{At, Problems, Reader};
use serde_json::{Value, json};

fn problems(sample: &Value) -> Vec<String> {
    let mut problems = Problems::default();
    if let Some(sample) = Reader::<Sample>::new().read(sample, "raw", &mut problems) {
        let checked = sample.check(&mut At::new("raw", &mut problems));
        assert_eq!(checked.is_some(), problems.is_empty());
    }
    problems.into_sorted().iter().map(ToString::to_string).collect()
}

#[test]
fn what_can_be_used() {
    for sample in [
        json!({ "type": "integer", "min": 1, "max": "3", "samples": [2, 2] }),
        json!({ "type": "string", "min": "", "max": "a" }),
        json!({ "type": "decimal", "min": "1.5", "max": "2", "scale": 1 }),
        json!({ "type": "decimal", "min": "1.5", "max": "2", "scale": 30 }),
        json!({ "type": "timestamp", "min": "2026-01-01T00:00:00Z", "max": "2026-01-01T00:00:00.5Z", "scale": 9 }),
        json!({ "type": "uuid", "min": "123e4567-e89b-12d3-a456-426614174000", "max": "ffffffff-e89b-12d3-a456-426614174000" }),
    ] {
        assert_eq!(problems(&sample), [""; 0], "{sample}");
    }
}

#[test]
fn every_mistake_is_told_at_once() {
    let cases: [(Value, &[&str]); 8] = [
        (
            json!({ "type": "int", "min": 1, "maximum": 3 }),
            &[
                "raw.max: required; add max$",
                "raw.maximum: unknown field; remove it",
                "raw.type: \"int\" is not known here; ",
            ],
        ),
        (
            json!({ "type": "integer", "min": 3, "max": 1 }),
            &["raw.max: 1 is less than min, which is 3; exchange the two"],
        ),
        (
            json!({ "type": "integer", "min": "a", "max": 1.5, "samples": [1, "b", null] }),
            &[
                "raw.max: 1.5 is not a key",
                "raw.min: \"a\" is not a key",
                "raw.samples[1]: \"b\" is not a key",
                "raw.samples[2]: null is not a key",
            ],
        ),
        (
            json!({ "type": "integer", "min": 1, "max": 3, "samples": [0, 2, 4] }),
            &[
                "raw.samples[0]: 0 is not from min to max, which are 1 and 3; remove it",
                "raw.samples[2]: 4 is not from",
            ],
        ),
        (
            json!({ "type": "integer", "min": 1, "max": 3, "scale": 2 }),
            &["raw.scale: only for type decimal and timestamp; remove it"],
        ),
        (
            json!({ "type": "decimal", "min": "1.25", "max": "3", "scale": 1 }),
            &["raw.scale: is 1, but a key here has 2 digits behind the point"],
        ),
        (
            json!({ "type": "timestamp", "min": "2026-01-01T00:00:00Z", "max": "2026-01-01T00:00:00Z", "scale": 10 }),
            &["raw.scale: 10 is too many"],
        ),
        (json!([]), &["raw: expected "]),
    ];
    for (sample, expected) in cases {
        let problems = problems(&sample);
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, begin) in problems.iter().zip(expected) {
            // One that ends with a dollar is all of it.
            let fits = begin.strip_suffix('$').map_or_else(|| problem.starts_with(begin), |all| problem == all);
            assert!(fits, "{problem}\n{begin}");
        }
    }
}

#[test]
fn keys_of_two_types_are_no_sample() {
    let problems = SampledKeys::new(Key::Integer(1), Key::Uuid(1), vec![], None).unwrap_err();
    assert_eq!(problems[0].to_string(), "max: is of type uuid, but min of type integer; give both one type");
}
