//! What a command prints. Whoever reads it may stop reading at any time: that is not an error, and no reason to panic.

use super::Failure;
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write as _};

/// Prints to the standard output. Nothing is said when it is read no longer, as by `head`.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::because("can't write to the standard output", error))
        }
        _ => Ok(()),
    }
}

/// Prints a line to the standard error, if anybody reads it. Control characters, which a terminal obeys, are escaped.
pub(crate) fn tell(kind: &str, what: impl Display) {
    let mut text = String::new();
    for letter in what.to_string().chars() {
        match letter {
            '\n' | '\t' => text.push(letter),
            letter if letter.is_control() => text.extend(letter.escape_default()),
            letter => text.push(letter),
        }
    }
    let _ = writeln!(io::stderr().lock(), "{kind}: {text}");
}

/// Objects as YAML, each in a document of its own.
pub(crate) fn yaml<T: Serialize>(objects: &[T]) -> Result<String, Failure> {
    let mut text = String::new();
    for object in objects {
        text.push_str("---\n");
        let written = serde_saphyr::to_fmt_writer(&mut text, object);
        written.map_err(|error| Failure::because("can't write YAML", error))?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::yaml;
    use serde_json::{Value, json};

    /// What some reader of YAML takes for something else comes out in quotes.
    #[test]
    fn texts_stay_texts() {
        let words = [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "true",
            "null",
            "~",
            "",
            "1e3",
            "0x1F",
            "0o17",
            "017",
            "1_000",
            ".5",
            "5.",
            ".inf",
            "-.inf",
            ".nan",
            "+1",
            "2001-01-01",
            "12:30:45",
            "=",
            "<<",
            "-",
            "?",
            "[",
            "{",
            "|",
            ">",
            "---",
            "...",
        ];
        for word in words {
            let written = yaml(&[json!({ "a": word })]).unwrap();
            assert!(["\"", "'"].iter().any(|quote| written.starts_with(&format!("---\na: {quote}"))), "{written}");
        }
        for text in [
            "{{ .X }}",
            "$(VAR)",
            "%a",
            "@a",
            "a: b",
            "a #b",
            "- a",
            " a ",
            "a\tb",
            "\na",
            "a\r\nb\n\n",
            "\u{85}\u{7f}",
        ] {
            let object = json!({ "a": text, text: [{ "b": text }] });
            let read: Value = serde_saphyr::from_str(&yaml(std::slice::from_ref(&object)).unwrap()).unwrap();
            assert_eq!(read, object);
        }
    }
}
