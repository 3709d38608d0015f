//! The YAML documents of a file, each read on its own: one that is bad does not take the others with it.

use super::failure::Failure;
use serde_json::Value;
use std::fmt;
use std::io::Read as _;
use std::path::Path;

/// A document of a file.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// Where it stands.
    pub(super) place: Place,
    /// What it says.
    pub(super) value: Value,
}

/// Where a document stands: the file, which of its documents, and the line it begins in.
#[derive(Clone, Debug)]
pub(super) struct Place {
    file: String,
    number: usize,
    of: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: document {} of {}", self.file, self.number, self.of)
    }
}

/// A document that is no YAML.
#[derive(Clone, Debug)]
pub(super) struct NotYaml {
    pub(super) place: Place,
    line: u64,
    column: u64,
    why: String,
}

impl fmt::Display for NotYaml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}, column {}: {}", self.place, self.line, self.column, self.why)
    }
}

/// Reads a file; `-` is the standard input.
pub(super) fn read(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    read.map_err(|error| Failure::reading(file, error))?;
    String::from_utf8(bytes).map_err(|error| Failure::because(format!("`{}` is no text", file.display()), error))
}

/// The documents of a text. Empty ones, comments alone included, are left out.
pub(super) fn parse(file: &Path, text: &str) -> Vec<Result<Document, NotYaml>> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let pieces = split(text);
    let of = pieces.len();
    let parse = |(i, (line, piece)): (usize, (u64, String))| {
        let place = Place { file: name.clone(), number: i + 1, of };
        match serde_saphyr::from_str::<Value>(&piece) {
            Ok(value) => Ok(Document { place, value }),
            Err(error) => {
                let error = error.without_snippet();
                let at = error.location();
                let (row, column) = at.map_or((1, 1), |at| (at.line(), at.column()));
                Err(NotYaml { place, line: line + row, column, why: plain(&error.to_string()) })
            }
        }
    };
    pieces.into_iter().enumerate().map(parse).collect()
}

/// Splits at the lines that begin with `---`; with each piece, how many lines stand above it.
fn split(text: &str) -> Vec<(u64, String)> {
    let mut pieces: Vec<(u64, String)> = vec![(0, String::new())];
    for (above, line) in (0..).zip(text.trim_start_matches('\u{feff}').split_inclusive('\n')) {
        let marker = line.strip_prefix("---").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        if let Some(rest) = marker {
            // What stands behind the marker belongs to the document; the blanks keep its columns right.
            pieces.push((above, format!("   {rest}")));
        } else if line.trim_end() == "..." {
            pieces.push((above + 1, String::new()));
        } else if let Some((_, piece)) = pieces.last_mut() {
            piece.push_str(line);
        }
    }
    let says_something =
        |(_, piece): &(u64, String)| piece.lines().any(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    pieces.into_iter().filter(says_something).collect()
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
    use super::*;

    #[test]
    fn each_document_is_read_on_its_own() {
        let text = "a: 1\n---\n# nothing\n---\nb: [\n--- {c: 3}\n...\n";
        let read = parse(Path::new("f.yaml"), text);
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].as_ref().unwrap().value["a"], 1);
        assert_eq!(read[2].as_ref().unwrap().value["c"], 3);
        let error = read[1].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("f.yaml: document 2 of 3: line 5, column "), "{error}");
    }

    #[test]
    fn a_mistake_is_placed_by_line_and_column_of_the_file() {
        let text = "---\na: 1\n---\nb:\n  c: \"x\n";
        let error = parse(Path::new("f.yaml"), text)[1].as_ref().unwrap_err().to_string();
        assert!(error.contains("line 5") || error.contains("line 6"), "{error}");
    }
}
