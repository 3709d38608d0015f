//! JSON that means the same as YAML. What is applied is read as YAML: Server-Side Apply knows its bodies under no other
//! type, and takes JSON for the YAML that it nearly is. Some characters that may stand in a string of JSON as they are end
//! a line there, take the blanks around them along, or are refused. Written as `\u2028` all of them stay what they are.
//! See [YAML 1.1, 5.1 and 5.4](https://yaml.org/spec/1.1/#id868524).

use std::fmt::Write;

/// Writes such characters of a JSON text by their numbers. Outside of its strings there are none.
pub(crate) fn in_yaml(json: Vec<u8>) -> Vec<u8> {
    if json.iter().all(|byte| *byte < 0x7f) {
        return json;
    }
    match str::from_utf8(&json) {
        Ok(text) if text.contains(is_other) => escaped(text).into_bytes(),
        _ => json,
    }
}

/// Whether YAML takes it for something else. What is below a blank is always written by its number in JSON.
fn is_other(c: char) -> bool {
    matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if is_other(c) {
            // A String takes whatever is written.
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_text_says_the_same_and_holds_nothing_that_yaml_reads_otherwise() {
        let every: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
        let value = json!({ "a\u{2028}b": every, "c": ["\u{85}", 1.5, null, "\\u2028", "\\\u{2028}"] });
        let text = String::from_utf8(in_yaml(value.to_string().into_bytes())).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(!text.contains(is_other) && !text.contains(|c| c < ' '));
    }

    #[test]
    fn what_needs_no_change_stays_as_it_is() {
        for text in [r#"{"a":"b\n"}"#, r#"{"a":"é 💧"}"#, "", "{}"] {
            assert_eq!(in_yaml(text.as_bytes().to_vec()), text.as_bytes());
        }
    }
}
