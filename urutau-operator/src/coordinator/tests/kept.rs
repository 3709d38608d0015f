use super::*;
use std::os::unix::fs::PermissionsExt as _;

const FILE: &str = "key-ranges.json";

fn read_error(folder: &Path) -> String {
    Kept::read(folder).unwrap_err().to_string().replace(&format!("{}/", folder.display()), "")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn what_is_written_is_read_again() {
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    assert_eq!(kept.targets().count(), 0);
    for (key_type, min, max) in [
        (KeyType::Integer, "-5", "18446744073709551615"),
        (KeyType::String, "\u{0}\"ä", "\u{10ffff}"),
        (KeyType::Uuid, "123e4567-e89b-12d3-a456-426614174000", "ffffffff-e89b-12d3-a456-426614174000"),
        (KeyType::Decimal, "-0.000000000000000000000000000000000001", "99999999999999999999999999999999999999.5"),
        (KeyType::Timestamp, "1969-12-31T23:59:59.999999999Z", "2026-01-01T00:00:00Z"),
    ] {
        let key = |text| key_type.parse(text).unwrap();
        let sampled = SampledKeys::new(key(min), key(max), vec![], None).unwrap();
        let ranges = KeyRanges::compute(&sampled, 7).unwrap();
        kept.keep(&format!("raw.{key_type}"), KeptTable { column: "id".to_owned(), ranges });
    }
    kept.write().unwrap();
    let again = Kept::read(folder.path()).unwrap();
    assert_eq!(again, kept);
    let before = std::fs::read(folder.path().join(FILE)).unwrap();
    again.write().unwrap();
    assert_eq!(std::fs::read(folder.path().join(FILE)).unwrap(), before);

    assert_eq!(files(folder.path()).len(), 1, "nothing else is left");
    let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// What is kept is a promise to later versions: this text must be readable for ever.
#[test]
fn the_format_is_pinned() {
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    kept.keep("raw.orders", kept_table("id", 3));
    kept.write().unwrap();
    let text = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({
            "version": 1,
            "tables": {
                "raw.orders": { "column": "id", "type": "integer", "ranges": 3, "splits": ["301", "601"] },
            },
        })
    );
}

#[test]
fn forgetting_forgets_one_table() {
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    kept.keep("a", kept_table("id", 3));
    kept.keep("b", kept_table("id", 4));
    assert_eq!(kept.forget("c"), None);
    assert_eq!(kept.forget("a").unwrap().ranges.number(), 3);
    kept.write().unwrap();
    assert_eq!(Kept::read(folder.path()).unwrap().targets().collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_file_that_is_not_what_was_written_is_told_and_stays() {
    let table = |fields: Value| {
        let mut table = json!({ "column": "id", "type": "integer", "ranges": 3, "splits": ["1", "2"] });
        table.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({ "version": 1, "tables": { "raw.orders": table } }).to_string()
    };
    let cases = [
        (String::new(), "is not JSON: "),
        ("{ \"version\": 1, \"tables\": {".to_owned(), "is not JSON: "),
        ("[]".to_owned(), "does not say of which version it is; "),
        ("{}".to_owned(), "does not say of which version it is; "),
        (r#"{ "version": "1", "tables": {} }"#.to_owned(), "has a version that never was; "),
        (r#"{ "version": 0, "tables": {} }"#.to_owned(), "has a version that never was; "),
        (r#"{ "version": 1 }"#.to_owned(), "missing field `tables`; "),
        (r#"{ "version": 1, "tables": {}, "more": 1 }"#.to_owned(), "unknown field `more`"),
        (
            r#"{ "version": 2, "what": "ever" }"#.to_owned(),
            "is of version 2, and this program knows no version above 1; ",
        ),
        (table(json!({ "more": 1 })), "unknown field `more`"),
        (table(json!({ "type": "float" })), "unknown variant `float`"),
        (table(json!({ "ranges": 4 })), "raw.orders: 4 ranges, but split points for 3; "),
        (table(json!({ "splits": ["2", "1"] })), "raw.orders: the split points do not increase; "),
        (table(json!({ "splits": ["1", "x"] })), "raw.orders: \"x\" is not a key of type integer; "),
        (table(json!({ "splits": [1, 2] })), "invalid type: integer `1`, expected a string; "),
    ];
    for (text, why) in cases {
        let folder = folder();
        std::fs::write(folder.path().join(FILE), &text).unwrap();
        let error = read_error(folder.path());
        assert!(error.starts_with(&format!("{FILE}: {why}")), "{text}: {error}");
        assert!(error.contains("; nothing was changed, r") && error.contains("or move it away if "), "{error}");
        assert_eq!(std::fs::read_to_string(folder.path().join(FILE)).unwrap(), text);
    }
}

#[test]
fn a_folder_that_can_not_be_used_is_named() {
    let folder = folder();
    std::fs::create_dir(folder.path().join(FILE)).unwrap();
    let error = read_error(folder.path());
    assert!(
        error.starts_with("key-ranges.json: can't be read: ") && error.ends_with("; let this process read it"),
        "{error}"
    );

    let nowhere = folder.path().join("nowhere");
    let mut kept = Kept::read(&nowhere).unwrap();
    kept.keep("a", kept_table("id", 2));
    let error = kept.write().unwrap_err().to_string();
    assert!(error.contains("nowhere/key-ranges.json: can't be written: "), "{error}");
    assert!(error.contains("; see that its folder is there "), "{error}");
    assert!(!nowhere.exists());
}

/// What can't be put in its place leaves neither half a file nor its own traces.
#[test]
fn a_write_that_fails_leaves_everything_as_it_was() {
    let folder = folder();
    let place = folder.path().join(FILE);
    let mut kept = Kept::read(folder.path()).unwrap();
    kept.keep("a", kept_table("id", 2));
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("x"), "x").unwrap();
    assert!(kept.write().is_err());
    assert_eq!(files(folder.path()), std::slice::from_ref(&place));
    assert_eq!(files(&place).len(), 1);
}

/// A reader at any moment finds the old ranges or the new ones.
#[test]
fn no_reader_finds_half_a_file() {
    let folder = folder();
    let path = folder.path().to_owned();
    let mut kept = Kept::read(&path).unwrap();
    kept.keep("raw.orders", kept_table("id", 300));
    kept.write().unwrap();
    let writer = std::thread::spawn({
        let path = path.clone();
        move || {
            let mut kept = Kept::read(&path).unwrap();
            for number in 2..40 {
                kept.keep("raw.orders", kept_table("id", number * 20));
                kept.write().unwrap();
            }
        }
    });
    while !writer.is_finished() {
        assert!(Kept::read(&path).unwrap().get("raw.orders").is_some());
    }
    writer.join().unwrap();
}
