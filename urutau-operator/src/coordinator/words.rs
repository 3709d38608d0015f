//! Texts that others chose, as people are shown them: a terminal obeys control characters, and a shell what is not
//! quoted.

use std::borrow::Cow;

/// The text with its control characters escaped.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escaped = |letter: char| -> String {
        if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() }
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// The command that forgets the ranges of a table, to be typed into a shell.
pub(super) fn forget(target: &str) -> String {
    let end_of_options = if target.starts_with('-') { "-- " } else { "" };
    format!("urutau-coordinator forget {end_of_options}{}", quoted(target))
}

/// One word of a shell. Control characters are written as bash and zsh know them.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:@%+,".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if !text.contains(char::is_control) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut quoted = "$'".to_owned();
    for letter in text.chars() {
        match letter {
            '\\' | '\'' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let bytes = letter.to_string().into_bytes();
                quoted.extend(bytes.iter().map(|byte| format!("\\x{byte:02x}")));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::{forget, shown};
    use std::process::Command;

    #[test]
    fn a_shell_takes_every_target_for_one_word() {
        for target in [
            "raw.orders",
            "a b",
            "$(reboot)",
            "it's",
            "a\\b",
            "`x`;y&z|*?~#!",
            "-x",
            "",
            "ä",
            "=ls",
            "a\u{1b}[2Jb\nc'\\\u{9b}1",
        ] {
            let command = forget(target);
            let typed = command.replacen("urutau-coordinator", "printf '%s\\n'", 1);
            let ran = Command::new("bash").args(["-c", &typed]).output().unwrap();
            let end_of_options = if target.starts_with('-') { "--\n" } else { "" };
            let words = format!("forget\n{end_of_options}{target}\n");
            assert_eq!(String::from_utf8(ran.stdout).unwrap(), words, "{command}");
            assert!(!command.contains(char::is_control));
        }
        assert_eq!(forget("raw.orders"), "urutau-coordinator forget raw.orders");
    }

    #[test]
    fn control_characters_are_shown_and_nothing_else_is_changed() {
        assert_eq!(shown("a\u{1b}[31mb\n\u{7f}\u{9b}"), "a\\u{1b}[31mb\\n\\u{7f}\\u{9b}");
        assert_eq!(shown("raw.\"ä\"\\'\u{1f600}"), "raw.\"ä\"\\'\u{1f600}");
    }
}
