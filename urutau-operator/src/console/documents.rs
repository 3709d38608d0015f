//! The YAML documents of a file, each read on its own: one that is bad does not take the others with it.

use super::Failure;
use super::yaml;
use serde_json::Value;
use std::fmt;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

/// A document of a file.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Where it stands.
    pub(crate) place: Place,
    /// What it says.
    pub(crate) value: Value,
}

/// Where a document stands: the file, which of its documents, and where there are several the line it begins in; or where
/// in it something is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    file: String,
    pub(crate) number: usize,
    of: usize,
    line: u64,
    column: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: document {} of {}", self.file, self.number, self.of)?;
        match self.column {
            Some(column) => write!(f, ", line {}, column {column}", self.line),
            None if self.of > 1 => write!(f, ", line {}", self.line),
            None => Ok(()),
        }
    }
}

/// A document that is no YAML.
#[derive(Clone, Debug)]
pub(crate) struct NotYaml {
    /// Where the mistake is.
    pub(crate) place: Place,
    /// What is wrong, and what to do.
    pub(crate) what: String,
}

/// What a file is called in messages.
pub(crate) fn name_of(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() }
}

/// Reads a file; `-` is the standard input.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    let name = name_of(file);
    read.map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            Failure::new(format!("{name}: there is no such file; give the path of one, or - for standard input"))
        }
        ErrorKind::IsADirectory => Failure::new(format!("{name}: is a folder; name a file in it")),
        _ => Failure::because(format!("{name}: can't be read"), error),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let (good, _) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = good.split(|byte| *byte == b'\n').count();
        Failure::new(format!("{name}: line {line}: is not UTF-8; save the file as UTF-8"))
    })
}

/// The documents of a text. Empty ones, comments alone included, are left out.
pub(crate) fn parse(file: &Path, text: &str) -> Vec<Result<Document, NotYaml>> {
    let file = name_of(file);
    let pieces = split(text);
    let of = pieces.len();
    let parse = |(i, (above, piece)): (usize, (u64, String))| {
        let place = |line, column| Place { file: file.clone(), number: i + 1, of, line: above + line, column };
        match yaml::parse(&piece) {
            Ok(value) => Ok(Document { place: place(first_line(&piece), None), value }),
            Err(yaml::Mistake { line, column, what }) => Err(NotYaml { place: place(line, Some(column)), what }),
        }
    };
    pieces.into_iter().enumerate().map(parse).collect()
}

/// Splits at the lines that begin with `---`; with each piece, how many lines stand above it.
fn split(text: &str) -> Vec<(u64, String)> {
    let mut pieces: Vec<(u64, String)> = vec![(0, String::new())];
    for (above, line) in (0..).zip(text.trim_start_matches('\u{feff}').split_inclusive('\n')) {
        let marker =
            line.strip_prefix("---").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        if let Some(rest) = marker {
            // What stands behind the marker belongs to the document; the blanks keep its columns right.
            pieces.push((above, format!("   {rest}")));
        } else if line.trim_end() == "..." {
            pieces.push((above + 1, String::new()));
        } else if let Some((_, piece)) = pieces.last_mut() {
            piece.push_str(line);
        }
    }
    pieces.retain(|(_, piece)| piece.lines().any(says_something));
    pieces
}

/// Whether a line is more than a comment or, above a document, an instruction for the parser.
fn says_something(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim().starts_with('#') && !line.starts_with('%')
}

fn first_line(piece: &str) -> u64 {
    (1..).zip(piece.lines()).find(|(_, line)| says_something(line)).map_or(1, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let shown = |read: Result<Document, NotYaml>| match read {
            Ok(document) => format!("{}: {}", document.place, document.value),
            Err(error) => format!("{}: {}", error.place, error.what),
        };
        parse(Path::new("f.yaml"), text).into_iter().map(shown).collect()
    }

    #[test]
    fn each_document_is_read_on_its_own() {
        assert_eq!(
            shown("a: 1\n---\n# nothing\n---\nb: [\n--- {c: 3}\n...\n"),
            [
                r#"f.yaml: document 1 of 3, line 1: {"a":1}"#,
                "f.yaml: document 2 of 3, line 5, column 4: unclosed bracket '['; close it, or put the text in quotes",
                r#"f.yaml: document 3 of 3, line 6: {"c":3}"#,
            ]
        );
    }

    #[test]
    fn markers_may_have_company() {
        assert_eq!(
            shown(
                "\u{feff}%YAML 1.2\n---\r\na: 1\r\n--- # two\r\n\r\n# words\r\nb: |\r\n ---\r\n...\r\n---\n--- \t\n---c: 1\n"
            ),
            [
                r#"f.yaml: document 1 of 3, line 3: {"a":1}"#,
                r#"f.yaml: document 2 of 3, line 7: {"b":"---\n"}"#,
                r#"f.yaml: document 3 of 3, line 12: {"---c":1}"#,
            ]
        );
        assert_eq!(shown("# words\n---\n---\n...\n"), [""; 0]);
        assert_eq!(shown("---\na: 1"), [r#"f.yaml: document 1 of 1: {"a":1}"#]);
    }
}
