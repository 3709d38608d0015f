use std::time;

use proptest::prelude::*;

use super::{Address, Duration, Identifier, KINDS, ServerId, Size, Text};

fn refusal<T: Text>(text: &str) -> String {
    match T::read(text) {
        Ok(_) => panic!("{text:?} was read"),
        Err(unreadable) => unreadable.to_string(),
    }
}

#[test]
fn durations_are_gos() {
    let cases: [(&str, u64); 9] = [
        ("30s", 30_000_000_000),
        ("5m", 300_000_000_000),
        ("1h30m", 5_400_000_000_000),
        ("168h", 604_800_000_000_000),
        ("1.5s", 1_500_000_000),
        (".5s", 500_000_000),
        ("300ms", 300_000_000),
        ("1us2µs3μs4ns", 6004),
        ("0h1ns", 1),
    ];
    for (text, nanos) in cases {
        let duration = Duration::read(text).unwrap();
        assert_eq!(duration.length(), time::Duration::from_nanos(nanos), "{text}");
        assert_eq!(duration.to_string(), text);
    }
    let how = r#"write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#;
    assert_eq!(refusal::<Duration>("0s"), format!("\"0s\" is no time at all; {how}"));
    assert_eq!(refusal::<Duration>("-5m"), format!("\"-5m\" is negative; {how}"));
    assert_eq!(refusal::<Duration>("9999999h"), format!("\"9999999h\" is longer than 292 years; {how}"));
    for text in ["", "5", "5 m", "m", "5d", "1h-5m", ".s", "1..5s", "5M", "99999999999999999999s", "1e3s"] {
        assert_eq!(refusal::<Duration>(text), format!("{text:?} is not a duration; {how}"));
    }
}

#[test]
fn sizes_are_whole_numbers_of_binary_units() {
    for (text, bytes, written) in
        [("1Ki", 1024, "1Ki"), ("512Mi", 512 << 20, "512Mi"), ("1024Mi", 1 << 30, "1Gi"), ("2Ti", 2 << 40, "2Ti")]
    {
        let size = Size::read(text).unwrap();
        assert_eq!((size.bytes(), size.to_string().as_str()), (bytes, written));
    }
    let how = r#"write a whole number of Ki, Mi, Gi or Ti, such as "512Mi""#;
    assert_eq!(refusal::<Size>("0Mi"), format!("\"0Mi\" is nothing; {how}"));
    assert_eq!(refusal::<Size>("99999999Ti"), format!("\"99999999Ti\" is too large; {how}"));
    for text in ["", "512", "512M", "512MB", "1.5Gi", "-1Mi", "Mi", "1 Mi", "1Pi"] {
        assert_eq!(refusal::<Size>(text), format!("{text:?} is not a size; {how}"));
    }
}

#[test]
fn addresses_have_a_port_and_may_have_a_host() {
    for (text, host, port) in [
        (":9090", "", 9090),
        ("0.0.0.0:1", "0.0.0.0", 1),
        ("[::]:65535", "::", 65535),
        ("metrics.example:80", "metrics.example", 80),
    ] {
        let address = Address::read(text).unwrap();
        assert_eq!((address.host(), address.port(), address.to_string().as_str()), (host, port, text));
        assert!(!address.is_loopback());
    }
    for text in [
        "localhost:1",
        "LocalHost.:1",
        "a.localhost:1",
        "127.0.0.1:1",
        "127.9.9.9:1",
        "[::1]:1",
        "[::ffff:127.0.0.1]:1",
    ] {
        assert!(Address::read(text).unwrap().is_loopback(), "{text}");
    }
    let how = r#"write host:port or only :port, such as ":9090""#;
    assert_eq!(refusal::<Address>(":0"), format!("\":0\" has no port between 1 and 65535; {how}"));
    assert_eq!(refusal::<Address>(":65536"), format!("\":65536\" has no port between 1 and 65535; {how}"));
    for text in ["", "9090", ":", ":http", "::1:9090", "[::1:9090", "[x]:1", "a b:1", "-a:1", "a..b:1", ":+1"] {
        assert_eq!(refusal::<Address>(text), format!("{text:?} is not an address; {how}"));
    }
}

#[test]
fn server_ids_are_compared_as_numbers() {
    assert_eq!(ServerId::read("1101").unwrap(), ServerId::read("01101").unwrap());
    assert_eq!(ServerId::read("4294967295").unwrap().number(), u32::MAX);
    for text in ["0", "", "-1", "+1", "4294967296", "1.0", "one", " 1"] {
        assert!(refusal::<ServerId>(text).starts_with(&format!("{text:?} is not a server id; ")));
    }
}

#[test]
fn identifiers_are_plain() {
    for text in ["a", "_", "_op", "commit_ts", "A1"] {
        assert_eq!(Identifier::read(text).unwrap().as_str(), text);
    }
    for text in ["", "1a", "a-b", "a.b", "a b", "ä"] {
        assert!(Identifier::read(text).is_err(), "{text}");
    }
}

#[test]
fn every_kind_can_read_its_own_stand_in() {
    for kind in KINDS {
        assert_eq!((kind.check)(kind.stand_in), Ok(()), "{}", kind.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,30}") {
        for kind in KINDS {
            _ = (kind.check)(&text);
        }
    }

    #[test]
    fn no_text_of_its_own_letters_makes_a_reader_panic(text in "[-0-9.:hmsunµ\\[\\](),A-Za-z]{0,30}") {
        for kind in KINDS {
            _ = (kind.check)(&text);
        }
    }
}
