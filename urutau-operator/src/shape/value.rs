//! JSON values in words.

use serde_json::Value;

/// What kind of value it is, with the value itself where it is short.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => format!("the bool {value}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A text in quotes, cut where it is long: messages end up in conditions and events.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// `"a", "b" or "c"`.
pub(super) fn alternatives<'a>(all: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = all.into_iter().map(|one| format!("{one:?}")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
