//! One YAML document, and in whose words a mistake in it is told.

use serde_json::Value;
use serde_saphyr::{Error, UserMessageFormatter};

/// What is wrong with a text that should be YAML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The line, the first one being 1.
    pub(crate) line: u64,
    /// The character of the line, the first one being 1.
    pub(crate) column: u64,
    /// What is wrong, and what to do.
    pub(crate) what: String,
}

/// Reads the one document of a text.
pub(crate) fn parse(text: &str) -> Result<Value, Mistake> {
    let options = serde_saphyr::options! {
        // However long: a table may well have a page of comment above it.
        budget: serde_saphyr::budget! { max_buffered_comment_events: usize::MAX },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let error = innermost(&error);
        let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
        Mistake { line, column, what: told(error) }
    })
}

/// The error itself, without the text around it and without the alias that led there.
fn innermost(error: &Error) -> &Error {
    match error.without_snippet() {
        Error::AliasError { error, .. } => innermost(error),
        error => error,
    }
}

/// What is wrong, and what to do where that is known.
fn told(error: &Error) -> String {
    let said = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => return format!("`{key}` stands here twice; remove one"),
        Error::Budget { .. } | Error::AliasReplayLimitExceeded { .. } | Error::AliasExpansionLimitExceeded { .. } => {
            return "too much for one document, aliases unfolded; split it, or use fewer aliases".to_owned();
        }
        Error::UnknownAnchor { .. } => {
            return "an alias without its anchor; name an anchor of this document, or put the text in quotes"
                .to_owned();
        }
        Error::NonFiniteFloat { value, .. } => {
            return format!("`{value}` is no number that JSON has; put it in quotes if it is a text");
        }
        error => plain(&error.render_with_formatter(&UserMessageFormatter)),
    };
    let fixes = [
        ("tabs", "indent with spaces"),
        ("unclosed quote", "close it, or double it where it belongs to the text"),
        ("unclosed bracket", "close it, or put the text in quotes"),
        ("mapping values are not allowed", "put the text in quotes, or begin a new line"),
        ("unexpected character: `\\u{", "remove it, or write it as \\u and four digits in double quotes"),
        ("unexpected character", "put the text in quotes"),
    ];
    match fixes.iter().find(|(sign, _)| said.contains(sign)) {
        Some((_, fix)) => format!("{said}; {fix}"),
        None => said,
    }
}

/// The first line of a message, without the place that it repeats.
fn plain(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let line = match line.split_once(": ") {
        Some((place, rest)) if place.starts_with("line ") => rest,
        _ => line,
    };
    line.rsplit_once(" at line ").map_or(line, |(text, _)| text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::fmt::Write as _;

    /// A list of lists of lists of ..., which is small only until its aliases are unfolded.
    fn bomb() -> String {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
            writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
        }
        text
    }

    #[test]
    fn mistakes_are_told_by_line_and_column_and_with_a_fix() {
        let cases = [
            ("a:\n\tb: 1\n", "2:2: tabs disallowed within this context (block indentation); indent with spaces"),
            ("a: 1\nb: \"x\n", "2:4: unclosed quote; close it, or double it where it belongs to the text"),
            ("a: 1\nb: 'x\n", "2:4: unclosed quote; close it, or double it where it belongs to the text"),
            ("a: [1, 2\n", "1:4: unclosed bracket '['; close it, or put the text in quotes"),
            ("a: 1\nb:\n  c: 1\n  c: 2\n", "4:3: `c` stands here twice; remove one"),
            (
                "a: b: c\n",
                "1:5: mapping values are not allowed in this context; put the text in quotes, or begin a new line",
            ),
            ("a: *b\n", "1:4: an alias without its anchor; name an anchor of this document, or put the text in quotes"),
            ("a: .inf\n", "1:4: `.inf` is no number that JSON has; put it in quotes if it is a text"),
        ];
        for (text, expected) in cases {
            let mistake = parse(text).unwrap_err();
            assert_eq!(format!("{}:{}: {}", mistake.line, mistake.column, mistake.what), expected, "{text}");
        }
        let what = parse(&bomb()).unwrap_err().what;
        assert_eq!(what, "too much for one document, aliases unfolded; split it, or use fewer aliases");
    }

    #[test]
    fn whatever_else_is_wrong_is_told_in_one_line() {
        for text in [
            "a: @b\n",
            "a: `b`\n",
            "- a\nb: 1\n",
            "a:\n  - b\n c: 1\n",
            "a: !!int x\n",
            "{a: 1}}\n",
            "a: \"\\q\"\n",
            "a: \u{1}\n",
            "%X\n",
        ] {
            let mistake = parse(text).unwrap_err();
            assert!(!mistake.what.is_empty() && !mistake.what.contains('\n'), "{text}: {mistake:?}");
            assert!(!mistake.what.contains("Options") && !mistake.what.contains("line "), "{text}: {mistake:?}");
        }
    }

    #[test]
    fn a_page_of_comment_is_no_mistake() {
        let comment = "  # words\n".repeat(500);
        let text = format!("a:\n{comment}  - 1\n{comment}  - b:\n{comment}      c: 2\n");
        assert_eq!(parse(&text).unwrap(), serde_json::json!({ "a": [1, { "b": { "c": 2 } }] }));
    }
}
