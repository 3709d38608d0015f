//! The pages, with their code blocks and headings.

use super::{read, root};

/// A page of Markdown.
pub(crate) struct Page {
    /// From the root of the repository.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// What is no code block.
    pub(crate) prose: Vec<(usize, String)>,
}

/// A fenced code block.
pub(crate) struct Block {
    pub(crate) line: usize,
    pub(crate) language: String,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let text = read(path);
        let (mut blocks, mut prose) = (Vec::new(), Vec::new());
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(text.lines()) {
            match (&mut open, line.strip_prefix("```")) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(language)) => {
                    open = Some(Block { line: number, language: language.to_owned(), text: String::new() });
                }
                (Some(block), None) => block.text.extend([line, "\n"]),
                (None, None) => prose.push((number, line.to_owned())),
            }
        }
        assert!(open.is_none(), "{path}: a code block has no end");
        Self { path: path.to_owned(), text, blocks, prose }
    }

    /// The pages of the book.
    pub(crate) fn of_book() -> Vec<Self> {
        let folder = std::fs::read_dir(root().join("book/src")).unwrap();
        let mut names: Vec<_> = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.iter().filter(|name| name.contains(".md")).map(|name| Self::read(&format!("book/src/{name}"))).collect()
    }

    /// The pages of the book, and those at the root.
    pub(crate) fn all() -> Vec<Self> {
        let at_root = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(Self::read);
        at_root.into_iter().chain(Self::of_book()).collect()
    }

    /// The folder that its links and includes start from.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The anchors of its headings, as mdBook makes them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let headings = self
            .prose
            .iter()
            .filter_map(|(_, line)| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
        headings.map(anchor).collect()
    }
}

/// The anchor of a heading: lower case, words joined by dashes, everything else left out.
pub(crate) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

#[test]
fn anchors_are_those_of_mdbook() {
    assert_eq!(anchor("Names, labels"), "names-labels");
    assert_eq!(anchor("`None` is not ours"), "none-is-not-ours");
}
