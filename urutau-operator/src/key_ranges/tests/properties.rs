//! What holds for keys of every type.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// The promises of [`KeyRanges::compute`] and [`KeyRanges::find`].
    #[test]
    fn every_key_has_one_range_and_no_range_is_empty((keys, asked) in any_keys(), number in 1..40_u32) {
        let sampled = sample_of(keys.clone());
        let Ok(ranges) = KeyRanges::compute(&sampled, number) else { return Ok(()) };
        prop_assert_eq!(ranges.number(), number);
        prop_assert!(ranges.splits().is_sorted_by(|a, b| a < b), "{:?}", ranges);

        // The ends are those of their neighbours, and both ends of all are open.
        let all: Vec<KeyRange<'_>> = ranges.iter().collect();
        prop_assert_eq!(all.len(), number as usize);
        prop_assert!(all[0].from.is_none() && all[all.len() - 1].before.is_none());
        prop_assert!(all.windows(2).all(|pair| pair[0].before == pair[1].from && pair[1].from.is_some()));

        // Between the bounds no range is empty: the first holds the one, the last the other, each other its own end.
        prop_assert_eq!(ranges.find(sampled.min()), Ok(0));
        prop_assert_eq!(ranges.find(sampled.max()), Ok(number - 1));
        for (index, range) in (0..).zip(&all).skip(1) {
            let from = range.from.unwrap();
            prop_assert_eq!(ranges.find(from), Ok(index));
            prop_assert!(sampled.min() < from && from <= sampled.max());
        }

        // Every key lies in exactly one range, which is the one that is found; larger keys in later ones.
        let mut asked: Vec<Key> = asked.into_iter().chain(keys).chain(ranges.splits().to_vec()).collect();
        asked.sort();
        let mut last = 0;
        for key in &asked {
            let holds = |range: &KeyRange<'_>| {
                range.from.is_none_or(|from| from <= key) && range.before.is_none_or(|before| key < before)
            };
            let holding: Vec<u32> = (0..).zip(&all).filter(|(_, range)| holds(range)).map(|(index, _)| index).collect();
            let found = ranges.find(key).unwrap();
            prop_assert_eq!(holding, vec![found]);
            prop_assert!(last <= found);
            last = found;
        }
    }

    /// Whatever the order in which samples came.
    #[test]
    fn the_same_sample_gives_the_same_ranges((mut keys, _) in any_keys(), number in 1..40_u32) {
        let first = KeyRanges::compute(&sample_of(keys.clone()), number);
        prop_assert_eq!(&KeyRanges::compute(&sample_of(keys.clone()), number), &first);
        keys.sort();
        let (min, max) = (keys.remove(0), keys.pop().unwrap());
        keys.reverse();
        let turned = SampledKeys::new(min, max, keys, None).unwrap();
        prop_assert_eq!(KeyRanges::compute(&turned, number), first);
    }

    /// A key that was written to a file is the key that it was.
    #[test]
    fn keys_are_read_as_they_are_written((keys, _) in any_keys()) {
        for key in keys {
            prop_assert_eq!(key.key_type().parse(&key.text()), Ok(key.clone()));
        }
    }

    #[test]
    fn whole_numbers_are_split_evenly_and_only_while_there_are_enough(a in -1000..1000_i128, size in 1..200_i128, number in 1..100_u32) {
        let sampled = SampledKeys::new(Key::Integer(a), Key::Integer(a + size - 1), vec![], None).unwrap();
        match KeyRanges::compute(&sampled, number) {
            Ok(ranges) => {
                prop_assert!(i128::from(number) <= size);
                let mut counts = vec![0; number as usize];
                for key in a..a + size {
                    counts[ranges.find(&Key::Integer(key)).unwrap() as usize] += 1;
                }
                let (least, most) = (*counts.iter().min().unwrap(), *counts.iter().max().unwrap());
                prop_assert!(least > 0 && most - least <= 1, "{:?}", counts);
            }
            Err(few) => {
                prop_assert_eq!(i128::from(few.keys), size);
                prop_assert!(i128::from(number) > size);
            }
        }
    }

    /// Decimals and timestamps are whole numbers of their smallest unit.
    #[test]
    fn no_range_is_empty_while_there_are_keys_of_that_many_digits(units in -500..500_i64, size in 1..60_i64, number in 1..60_u32) {
        let decimal = |units: i64| {
            let sign = if units < 0 { "-" } else { "" };
            KeyType::Decimal.parse(&format!("{sign}{}.{:02}", units.abs() / 100, units.abs() % 100)).unwrap()
        };
        let time = |units: i64| {
            KeyType::Timestamp.parse(&jiff::Timestamp::from_millisecond(units).unwrap().to_string()).unwrap()
        };
        for (scale, key) in [(2, &decimal as &dyn Fn(i64) -> Key), (3, &time)] {
            let sampled = SampledKeys::new(key(units), key(units + size - 1), vec![], Some(scale)).unwrap();
            let ranges = KeyRanges::compute(&sampled, number);
            prop_assert_eq!(ranges.is_ok(), i64::from(number) <= size);
            let Ok(ranges) = ranges else { continue };
            let found: std::collections::BTreeSet<u32> =
                (units..units + size).map(|units| ranges.find(&key(units)).unwrap()).collect();
            prop_assert_eq!(found.len(), number as usize);
        }
    }

    #[test]
    fn decimals_are_ordered_by_value(a in -100_000..100_000_i64, b in -100_000..100_000_i64, zeros in 0..4_usize) {
        let read = |units: i64, zeros: usize| -> Decimal {
            let sign = if units < 0 { "-" } else { "" };
            let text = format!("{sign}{}{}.{:03}{}", "0".repeat(zeros), units.abs() / 1000, units.abs() % 1000, "0".repeat(zeros));
            text.parse().unwrap()
        };
        prop_assert_eq!(read(a, zeros).cmp(&read(b, 0)), a.cmp(&b));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text: String) {
        for key_type in TYPES {
            let _ = key_type.parse(&text);
        }
    }

    #[test]
    fn no_text_of_its_own_letters_makes_a_reader_panic(text in "[-+0-9a-fTZtz:. ]{0,40}") {
        for key_type in TYPES {
            if let Ok(key) = key_type.parse(&text) {
                prop_assert_eq!(key_type.parse(&key.text()), Ok(key));
            }
        }
    }
}
