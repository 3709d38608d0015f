//! What can stand in a string of an attribute.

use std::fmt::Display;

/// A field that a string of an attribute names: `"{owner}-{table}"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't stand in a string",
    label = "named in a string of an attribute",
    note = "a field that is named in a string, `\"{{field}}\"`, is text, a number, or of a type with `Display`"
)]
pub trait Text {
    /// The value as text.
    fn text(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: Display + ?Sized> Text for T {
    fn text(&self) -> String {
        self.to_string()
    }
}

/// The text of a field. Called by derived code.
pub fn text<T: Text + ?Sized>(value: &T) -> String {
    value.text()
}
