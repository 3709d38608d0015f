//! Where a rule stands when it judges a value.

use super::{Problem, Problems, join};

/// A place in the value, at which rules report.
///
/// A rule reports by the name of a field below the place. It is not heard where that very field, or one above it, has
/// been reported already. A rule that reads several fields asks first whether they are [sound](At::is_sound): a missing
/// `kind` is one problem, not one for each rule that depends on it.
pub(crate) struct At<'a> {
    path: String,
    problems: &'a mut Problems,
}

impl<'a> At<'a> {
    /// The place with this path.
    pub(crate) fn new(path: &str, problems: &'a mut Problems) -> Self {
        Self { path: path.to_owned(), problems }
    }

    /// A field of this value, or one further in: `workers` or `source.kind`.
    pub(crate) fn field(&mut self, path: &str) -> At<'_> {
        At { path: self.path(path), problems: self.problems }
    }

    /// One of the entries of a list that is this value.
    pub(crate) fn entry(&mut self, index: usize) -> At<'_> {
        self.field(&format!("[{index}]"))
    }

    /// The value that the user put under a name of his own.
    pub(crate) fn key(&mut self, key: &str) -> At<'_> {
        At { path: join(&self.path, key), problems: self.problems }
    }

    /// Whether what was written in this field can be relied on.
    pub(crate) fn is_sound(&self, field: &str) -> bool {
        self.problems.is_sound(&self.path(field))
    }

    /// Whether what was written in each of these fields can be relied on.
    pub(crate) fn are_sound(&self, fields: &[&str]) -> bool {
        fields.iter().all(|field| self.is_sound(field))
    }

    /// The value of a field, unless it is a stand-in.
    pub(crate) fn sound<T>(&self, field: &str, value: T) -> Option<T> {
        self.is_sound(field).then_some(value)
    }

    /// Whether the field itself, or something around it, could not be read. What is in it may still be wrong.
    pub(crate) fn is_lost(&self, field: &str) -> bool {
        self.problems.is_covered(&self.path(field))
    }

    /// Reports a field of this value.
    pub(crate) fn refuse(&mut self, field: &str, message: impl Into<String>, fix: impl Into<String>) {
        self.field(field).refuse_this(message, fix);
    }

    /// Reports an entry of a list that is a field of this value.
    pub(crate) fn refuse_entry(
        &mut self,
        field: &str,
        index: usize,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.field(field).entry(index).refuse_this(message, fix);
    }

    /// Reports this value itself.
    pub(crate) fn refuse_this(&mut self, message: impl Into<String>, fix: impl Into<String>) {
        self.problems.offer(Problem::new(self.path.clone(), message, fix));
    }

    fn path(&self, field: &str) -> String {
        let dot = if self.path.is_empty() || field.starts_with('[') { "" } else { "." };
        format!("{}{dot}{field}", self.path)
    }
}
