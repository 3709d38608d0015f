use super::*;
use std::os::unix::fs::PermissionsExt as _;

const FILE: &str = "key-ranges.json";
const LOCK: &str = ".key-ranges.lock";

fn read_error(folder: &Path) -> String {
    Kept::read(folder).unwrap_err().to_string().replace(&format!("{}/", folder.display()), "")
}

/// Keeps ranges of a table; what was kept of it is forgotten.
fn put(folder: &Path, target: &str, table: KeptTable) {
    let mut kept = Kept::read(folder).unwrap();
    let mut change = kept.change().unwrap();
    change.forget(target);
    change.keep(target, table);
    change.write().unwrap();
}

/// The files of a folder, but for the lock.
fn files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| !file.ends_with(LOCK)).collect()
}

#[test]
fn what_is_written_is_read_again() {
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    assert_eq!(kept.targets().count(), 0);
    let mut change = kept.change().unwrap();
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
        change.keep(&format!("raw.{key_type}"), KeptTable { column: "id".to_owned(), ranges });
    }
    change.write().unwrap();
    let mut again = Kept::read(folder.path()).unwrap();
    assert_eq!((&again, again.targets().count()), (&kept, 5));
    let before = std::fs::read(folder.path().join(FILE)).unwrap();
    let mut change = again.change().unwrap();
    let decimals = change.forget("raw.decimal").unwrap();
    change.write().unwrap();
    put(folder.path(), "raw.decimal", decimals);
    assert_eq!(std::fs::read(folder.path().join(FILE)).unwrap(), before);

    assert_eq!(files(folder.path()).len(), 1, "nothing else is left");
    let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// What is kept is a promise to later versions: this text must be readable for ever.
#[test]
fn the_format_is_pinned() {
    let folder = folder();
    put(folder.path(), "raw.orders", kept_table("id", 3));
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
    put(folder.path(), "a", kept_table("id", 3));
    put(folder.path(), "b", kept_table("id", 4));
    let mut kept = Kept::read(folder.path()).unwrap();
    let mut change = kept.change().unwrap();
    assert_eq!(change.forget("c"), None);
    assert_eq!(change.forget("a").unwrap().ranges.number(), 3);
    change.write().unwrap();
    assert_eq!(Kept::read(folder.path()).unwrap().targets().collect::<Vec<_>>(), ["b"]);
}

/// Each of them has read the file before the other one wrote it.
#[test]
fn a_change_loses_nothing_that_somebody_else_kept() {
    let folder = folder();
    put(folder.path(), "a", kept_table("id", 3));
    let (mut one, mut other) = (Kept::read(folder.path()).unwrap(), Kept::read(folder.path()).unwrap());
    let mut change = one.change().unwrap();
    change.keep("b", kept_table("id", 4));
    change.keep("c", kept_table("id", 5));
    change.write().unwrap();
    let mut change = other.change().unwrap();
    change.keep("c", kept_table("id", 6));
    assert!(change.forget("a").is_some());
    change.write().unwrap();
    let kept = Kept::read(folder.path()).unwrap();
    assert_eq!(kept.targets().collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(kept.get("c").unwrap().ranges.number(), 5, "what is kept wins");
    assert_eq!(other, kept);
}

/// One that is given up has changed nothing, and nobody waits for it.
#[test]
fn a_change_is_nothing_before_it_is_written() {
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    kept.change().unwrap().keep("a", kept_table("id", 3));
    assert_eq!((kept.targets().count(), files(folder.path()).len()), (0, 0));
    kept.change().unwrap();
}

#[test]
fn a_file_that_is_not_what_was_written_is_told_and_stays() {
    let table = |fields: Value| {
        let mut table = json!({ "column": "id", "type": "integer", "ranges": 3, "splits": ["1", "2"] });
        table.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({ "version": 1, "tables": { "raw.orders": table } }).to_string()
    };
    let one = table(json!({}));
    let entry = one.split_once("{\"raw.orders\"").unwrap().1.split_once("}},").map_or("", |(entry, _)| entry);
    let twice = one.replace("}},", &format!("}},\"raw.orders\"{entry}}}}},"));
    let cases = [
        (String::new(), "is not JSON: "),
        ("{ \"version\": 1, \"tables\": {".to_owned(), "is not JSON: "),
        ("[]".to_owned(), "does not say of which version it is; "),
        ("{}".to_owned(), "does not say of which version it is; "),
        (r#"{ "version": "1", "tables": {} }"#.to_owned(), "has a version that never was; "),
        (r#"{ "version": 0, "tables": {} }"#.to_owned(), "has a version that never was; "),
        (r#"{ "version": 1 }"#.to_owned(), "missing field `tables` at line 1 column 16; "),
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
        (table(json!({ "splits": [1, 2] })), "invalid type: integer `1`, expected a string at line 1 "),
        (r#"{ "version": 1, "tables": {}, "version": 1 }"#.to_owned(), "duplicate field `version` at line 1 "),
        (r#"{ "version": 1, "tables": {}, "tables": {} }"#.to_owned(), "duplicate field `tables` at line 1 "),
        (twice, "\"raw.orders\" stands in it twice at line 1 "),
        (table(json!({})).replace("\"ranges\"", "\"column\":\"x\",\"ranges\""), "duplicate field `column` at line 1 "),
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
    let nowhere = folder.path().join("nowhere");
    let error = Kept::read(&nowhere).unwrap().change().unwrap_err().to_string();
    assert!(error.contains("nowhere/.key-ranges.lock: can't be locked: "), "{error}");
    assert!(error.contains("; see that its folder is there "), "{error}");
    assert!(!nowhere.exists());
}

/// What can't be put in its place leaves neither half a file nor its own traces.
#[test]
fn a_write_that_fails_leaves_everything_as_it_was() {
    let folder = folder();
    let place = folder.path().join(FILE);
    let mut kept = Kept::read(folder.path()).unwrap();
    let mut change = kept.change().unwrap();
    change.keep("a", kept_table("id", 2));
    std::fs::create_dir(&place).unwrap();
    std::fs::write(place.join("x"), "x").unwrap();
    assert!(change.write().unwrap_err().to_string().contains("key-ranges.json: can't be written: "));
    assert_eq!(kept.targets().count(), 0);
    assert_eq!(files(folder.path()), std::slice::from_ref(&place));
    assert_eq!(files(&place).len(), 1);
}

/// Neither waits for somebody to write into a pipe.
#[test]
fn what_is_no_file_is_neither_read_nor_replaced() {
    let folder = folder();
    let place = folder.path().join(FILE);
    std::fs::create_dir(&place).unwrap();
    let told = "is a folder, where a file should be; move it away, or name another folder";
    assert_eq!(read_error(folder.path()), format!("{FILE}: {told}"));
    std::fs::remove_dir(&place).unwrap();
    let mut kept = Kept::read(folder.path()).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&place).status().unwrap().success());
    assert!(read_error(folder.path()).starts_with("key-ranges.json: is a pipe or a device, "));
    assert!(kept.change().is_err());
}

/// A volume that is away does not mean that nothing is kept on it.
#[test]
fn a_link_is_followed_and_one_that_leads_nowhere_is_refused() {
    let (folder, volume) = (folder(), folder());
    let (link, place) = (folder.path().join(FILE), volume.path().join("kept.json"));
    put(volume.path(), "a", kept_table("id", 2));
    std::fs::rename(volume.path().join(FILE), &place).unwrap();
    std::os::unix::fs::symlink(&place, &link).unwrap();
    put(folder.path(), "b", kept_table("id", 3));
    assert!(link.is_symlink());
    assert_eq!(files(folder.path()), std::slice::from_ref(&link));
    let mut kept = Kept::read(folder.path()).unwrap();
    assert_eq!(kept.targets().collect::<Vec<_>>(), ["a", "b"]);

    std::fs::rename(&place, volume.path().join("away")).unwrap();
    let told =
        "is a symbolic link, and what it leads to is not there; nothing was changed, bring that back, or move it";
    assert!(read_error(folder.path()).starts_with(&format!("{FILE}: {told}")));
    assert!(kept.change().is_err());
    assert!(link.is_symlink() && !place.exists());
}

/// A reader at any moment finds the old ranges or the new ones.
#[test]
fn no_reader_finds_half_a_file() {
    let folder = folder();
    let path = folder.path().to_owned();
    put(&path, "raw.orders", kept_table("id", 300));
    let writer = std::thread::spawn({
        let path = path.clone();
        move || (2..40).for_each(|number| put(&path, "raw.orders", kept_table("id", number * 20)))
    });
    while !writer.is_finished() {
        assert!(Kept::read(&path).unwrap().get("raw.orders").is_some());
    }
    writer.join().unwrap();
}
