use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{At, Problem, Problems, Reader, join};
use crate::quantity::Quantity;
use crate::text::Duration;

/// One of everything that a schema can ask for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read for its problems only")]
struct Everything {
    name: String,
    colour: Colour,
    maybe_colour: Option<Colour>,
    #[serde(default)]
    flag: bool,
    #[schemars(range(min = 1, max = 32))]
    number: Option<u32>,
    big: Option<u64>,
    port: Option<u16>,
    wait: Option<Duration>,
    cpu: Option<Quantity>,
    #[serde(default)]
    list: Vec<Inner>,
    #[serde(default)]
    map: BTreeMap<String, String>,
    inner: Option<Inner>,
    any: Option<Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read for its problems only")]
struct Inner {
    key: String,
    more: Option<Box<Inner>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Colour {
    /// Described.
    DarkRed,
    /// Described as well.
    Blue,
}

fn problems(value: &Value) -> Vec<String> {
    let mut problems = Problems::default();
    assert!(Reader::<Everything>::new().read(value, "", &mut problems).is_some(), "the rest could not be read");
    problems.into_sorted().iter().map(ToString::to_string).collect()
}

fn with(field: &str, value: Value) -> Value {
    let mut whole = json!({ "name": "x", "colour": "blue" });
    whole[field] = value;
    whole
}

#[test]
fn what_fits_has_no_problem() {
    let value = json!({
        "name": "x", "colour": "dark-red", "maybeColour": "blue", "flag": true, "number": 32, "big": u64::from(u32::MAX) + 1,
        "port": 65535, "wait": "5m", "cpu": 2, "list": [{ "key": "a", "more": { "key": "b" } }], "map": { "a.b": "c" },
        "inner": { "key": "k" }, "any": { "x": [1] },
    });
    assert_eq!(problems(&value), [""; 0]);
}

#[test]
fn what_says_nothing_is_not_there() {
    let value = json!({
        "name": "x", "colour": "blue", "maybeColour": "", "flag": null, "number": null, "wait": "", "cpu": null,
        "list": null, "map": null, "inner": null,
    });
    assert_eq!(problems(&value), [""; 0]);
}

#[test]
fn each_mistake_is_told_with_its_path_and_what_to_write() {
    let cases = [
        ("name", json!(1101), r#"name: expected a string, got the number 1101; put it in quotes: "1101""#),
        ("name", json!(true), r#"name: expected a string, got the bool true; put it in quotes: "true""#),
        ("name", json!(["x"]), "name: expected a string, got a list; write a string"),
        ("name", json!(""), "name: required; add name, a string"),
        ("name", json!(null), "name: required; add name, a string"),
        ("colour", json!(null), r#"colour: required; add colour: "dark-red" or "blue""#),
        (
            "colour",
            json!("Blue"),
            r#"colour: "Blue" is not known here; did you mean "blue"? write "dark-red" or "blue""#,
        ),
        ("colour", json!("green"), r#"colour: "green" is not known here; write "dark-red" or "blue""#),
        (
            "maybeColour",
            json!("blu"),
            r#"maybeColour: "blu" is not known here; did you mean "blue"? write "dark-red" or "blue""#,
        ),
        ("maybeColour", json!({}), r#"maybeColour: expected a string, got an object; write "dark-red" or "blue""#),
        ("flag", json!("true"), r#"flag: expected true or false, got the string "true"; remove the quotes: true"#),
        ("flag", json!("yes"), r#"flag: expected true or false, got the string "yes"; write true or false"#),
        ("number", json!("3"), r#"number: expected a whole number, got the string "3"; remove the quotes: 3"#),
        ("number", json!(0), "number: 0 is out of range; write a number from 1 to 32"),
        ("number", json!(33), "number: 33 is out of range; write a number from 1 to 32"),
        ("number", json!(1.5), "number: 1.5 is not a whole number; write a number from 1 to 32"),
        ("big", json!(-1), "big: -1 is out of range; write 0 or more"),
        ("port", json!(65536), "port: 65536 is out of range; write a number from 0 to 65535"),
        ("wait", json!(5), r#"wait: expected a string, got the number 5; put it in quotes: "5""#),
        (
            "wait",
            json!("5"),
            r#"wait: "5" is not a duration; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
        ),
        ("cpu", json!(0.5), r#"cpu: expected a string or a whole number, got the number 0.5; put it in quotes: "0.5""#),
        ("cpu", json!(-2), r#"cpu: "-2" is negative; write 0 or more"#),
        ("cpu", json!("2GB"), r#"cpu: "2GB" is not a quantity; did you mean "2Gi"?"#),
        ("list", json!("a"), r#"list: expected a list, got the string "a"; put it in brackets: ["a"]"#),
        ("list", json!({}), "list: expected a list, got an object; write a list"),
        (
            "list",
            json!([{ "key": "a" }, 1]),
            "list[1]: expected an object, got the number 1; write fields, indented, of these: key, more",
        ),
        (
            "list",
            json!([null]),
            "list[0]: expected an object, got nothing; write fields, indented, of these: key, more",
        ),
        (
            "list",
            json!([{ "key": "a", "more": { "key": 1 } }]),
            r#"list[0].more.key: expected a string, got the number 1; put it in quotes: "1""#,
        ),
        ("map", json!({ "a b": 1 }), r#"map["a b"]: expected a string, got the number 1; put it in quotes: "1""#),
        ("inner", json!({}), "inner.key: required; add key, a string"),
        (
            "inner",
            json!("k"),
            r#"inner: expected an object, got the string "k"; write fields, indented, of these: key, more"#,
        ),
        (
            "nmae",
            json!("x"),
            "nmae: unknown field; remove it; known here: any, big, colour, cpu, flag, inner, list, map, maybeColour, name, number, port, wait",
        ),
        ("maybe_colour", json!("x"), r#"maybe_colour: unknown field; did you mean "maybeColour"?"#),
        (
            "odd key",
            json!(1),
            r#"["odd key"]: unknown field; remove it; known here: any, big, colour, cpu, flag, inner, list, map, maybeColour, name, number, port, wait"#,
        ),
    ];
    for (field, value, expected) in cases {
        assert_eq!(problems(&with(field, value.clone())), [expected], "{field}: {value}");
    }
}

#[test]
fn all_mistakes_are_told_at_once_in_order() {
    let mut list: Vec<Value> = (0..11).map(|_| json!({ "key": "k" })).collect();
    list[2] = json!({ "kye": "k" });
    list[10] = json!({});
    let found = problems(&json!({ "colour": 1, "list": list, "number": 99 }));
    let paths: Vec<&str> = found.iter().filter_map(|problem| problem.split(": ").next()).collect();
    assert_eq!(paths, ["colour", "list[2].kye", "list[10].key", "name", "number"]);
}

#[test]
fn a_long_text_is_cut_in_a_message() {
    let found = problems(&with("flag", json!("x".repeat(1000))));
    assert_eq!(found[0].len(), "flag: expected true or false, got the string ; write true or false".len() + 65);
}

#[test]
fn what_is_no_object_at_all_is_told_too() {
    let mut problems = Problems::default();
    assert!(Reader::<Inner>::new().read(&json!([1]), "spec", &mut problems).is_some());
    assert_eq!(
        problems.into_sorted()[0].to_string(),
        "spec: expected an object, got a list; write fields, indented, of these: key, more"
    );
}

#[test]
fn a_rule_is_silent_where_the_value_itself_was_refused() {
    let mut problems = Problems::default();
    let value = json!({ "name": "x", "colour": "green", "list": [1, { "key": "a" }], "numbr": 3 });
    Reader::<Everything>::new().read(&value, "spec", &mut problems);
    let mut at = At::new("spec", &mut problems);
    assert!(!at.is_sound("colour") && at.sound("colour", 1).is_none());
    assert!(at.are_sound(&["name", "flag", "maybeColour"]));
    assert!(!at.is_sound("number"), "what was meant by numbr is not the default");
    assert!(!at.is_sound("list") && !at.is_sound("list[0].key") && at.is_sound("list[1].key"));
    assert!(!at.is_lost("list") && at.is_lost("list[0].key"));
    at.refuse("colour", "unheard", "");
    at.field("list").entry(0).refuse("key", "unheard", "");
    at.field("list").entry(1).refuse("key", "heard", "write it");
    at.field("map").key("a.b").refuse_this("heard", "");
    at.refuse_entry("list", 1, "heard", "");
    let heard: Vec<String> =
        problems.into_sorted().iter().map(ToString::to_string).filter(|problem| problem.contains("heard")).collect();
    assert_eq!(heard, ["spec.list[1]: heard", "spec.list[1].key: heard; write it", r#"spec.map["a.b"]: heard"#]);
}

#[test]
fn paths_are_told_as_one_would_write_them() {
    assert_eq!(join("", "a"), "a");
    assert_eq!(join("a", "b_c-d"), "a.b_c-d");
    assert_eq!(join("a", "b.c"), r#"a["b.c"]"#);
    assert_eq!(join("a", ""), r#"a[""]"#);
    let under = |path: &str| Problem::new(path, "m", "").under("spec").path;
    assert_eq!((under("a"), under(""), under("[0]")), ("spec.a".into(), "spec".into(), "spec[0]".into()));
    assert_eq!(Problem::new("", "whole", "").to_string(), "whole");
}
