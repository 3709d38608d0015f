//! One thing that is wrong, and the list of all of them.

use std::collections::BTreeSet;
use std::fmt;

/// Something to correct: where, what is wrong, and what to write instead. Warnings have the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The path of the value, such as `tables[2].workers.max`; empty for the whole.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
    /// What to write.
    pub fix: String,
}

impl Problem {
    /// A problem at this path.
    pub fn new(path: impl Into<String>, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), fix: fix.into() }
    }

    /// The same problem, seen from further out: `kind` under `source` is `source.kind`.
    #[must_use]
    pub fn under(mut self, parent: &str) -> Self {
        self.path = if self.path.is_empty() || self.path.starts_with('[') {
            format!("{parent}{}", self.path)
        } else {
            format!("{parent}.{}", self.path)
        };
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)?;
        if self.fix.is_empty() { Ok(()) } else { write!(f, "; {}", self.fix) }
    }
}

/// All problems of a value, and which paths can't be relied on because of them.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    unsound: BTreeSet<String>,
}

impl Problems {
    /// Reports a problem whose path must not be relied on afterwards.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.distrust(problem.path.clone());
        self.found.push(problem);
    }

    /// Reports a problem that leaves the value at its path as the user wrote it: an unknown field, a broken rule.
    pub(crate) fn remark(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// Reports a broken rule, unless its path or one above it was reported already.
    pub(crate) fn offer(&mut self, problem: Problem) {
        if !self.is_covered(&problem.path) {
            self.remark(problem);
        }
    }

    /// Marks a path whose value is not what the user meant.
    pub(crate) fn distrust(&mut self, path: String) {
        self.unsound.insert(path);
    }

    /// Whether the value at this path, what is above it and what is in it is all as the user wrote it.
    pub(crate) fn is_sound(&self, path: &str) -> bool {
        !self.is_covered(path) && !self.unsound.iter().any(|unsound| is_within(unsound, path))
    }

    /// Whether this path or one above it was reported.
    pub(crate) fn is_covered(&self, path: &str) -> bool {
        self.unsound.iter().any(|unsound| is_within(path, unsound))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The problems in the order of their paths, the tenth entry after the ninth.
    pub(crate) fn into_sorted(mut self) -> Vec<Problem> {
        self.found.sort_by(|a, b| segments(&a.path).cmp(segments(&b.path)));
        self.found
    }
}

/// Whether `path` is `above` or lies in it.
fn is_within(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| above.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

fn segments(path: &str) -> impl Iterator<Item = (Option<usize>, &str)> {
    path.split(['.', '[', ']']).filter(|segment| !segment.is_empty()).map(|segment| (segment.parse().ok(), segment))
}

/// The path of a field. A key that is no plain name is quoted, as one would write it in JavaScript.
pub(crate) fn join(parent: &str, key: &str) -> String {
    let is_plain = !key.is_empty() && key.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'));
    match (is_plain, parent.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{parent}.{key}"),
        (false, _) => format!("{parent}[{key:?}]"),
    }
}
