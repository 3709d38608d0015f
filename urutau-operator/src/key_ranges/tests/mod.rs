//! Ranges of every type of key: what holds for all of them, and examples that can be checked by eye.

mod examples;
mod keys;
mod properties;
mod samples;

use super::*;
use proptest::prelude::*;

/// What was sampled, with no samples between.
fn sampled(key_type: KeyType, min: &str, max: &str) -> SampledKeys {
    sampled_with(key_type, min, max, &[])
}

fn sampled_with(key_type: KeyType, min: &str, max: &str, samples: &[&str]) -> SampledKeys {
    let key = |text: &str| key_type.parse(text).unwrap();
    SampledKeys::new(key(min), key(max), samples.iter().map(|text| key(text)).collect(), None).unwrap()
}

/// Keys of one type.
fn keys_of(key_type: KeyType) -> BoxedStrategy<Key> {
    match key_type {
        KeyType::Integer => prop_oneof![
            (i128::from(i64::MIN)..=i128::from(u64::MAX)),
            (-20..20_i128),
            Just(i128::from(i64::MIN)),
            Just(i128::from(u64::MAX)),
        ]
        .prop_map(Key::Integer)
        .boxed(),
        KeyType::Uuid => prop_oneof![any::<u128>(), 0..20_u128, Just(u128::MAX)].prop_map(Key::Uuid).boxed(),
        KeyType::String => {
            let texts = prop_oneof![
                "[0-9]{0,8}",
                "[a-f0-9]{32}",
                "[A-Za-z0-9]{0,12}",
                "[ -~]{0,20}",
                "\\PC{0,8}",
                any::<String>(),
                "a\u{0}{0,4}"
            ];
            texts.prop_map(Key::String).boxed()
        }
        KeyType::Decimal => "-?[0-9]{1,40}(\\.[0-9]{1,30})?|-?[0-9]\\.[0-9]"
            .prop_map(move |text| key_type.parse(&text).unwrap())
            .boxed(),
        KeyType::Timestamp => {
            // From the first to the last moment that can be written.
            let moments = -62_167_305_540_000_000_000..=253_402_387_139_999_999_999_i128;
            let late = 253_402_207_200_000_000_000..=253_402_387_139_999_999_999_i128;
            (prop_oneof![moments, late], 0..=9_usize)
                .prop_map(|(nanoseconds, scale)| {
                    let unit = 10_i128.pow(9 - u32::try_from(scale).unwrap());
                    Key::Timestamp(Timestamp::of_units(&(nanoseconds / unit).into(), scale))
                })
                .boxed()
        }
    }
}

const TYPES: [KeyType; 5] = [KeyType::Integer, KeyType::String, KeyType::Uuid, KeyType::Decimal, KeyType::Timestamp];

/// A type, keys of it, and keys to ask for.
fn any_keys() -> impl Strategy<Value = (Vec<Key>, Vec<Key>)> {
    prop::sample::select(TYPES.as_slice()).prop_flat_map(|key_type| {
        (prop::collection::vec(keys_of(key_type), 2..12), prop::collection::vec(keys_of(key_type), 1..12))
    })
}

/// The smallest, the largest and the others.
fn sample_of(mut keys: Vec<Key>) -> SampledKeys {
    keys.sort();
    let (min, max) = (keys.remove(0), keys.pop().unwrap());
    SampledKeys::new(min, max, keys, None).unwrap()
}
