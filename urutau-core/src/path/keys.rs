//! The keys by which Kubernetes merges a list.

use serde_json::{Value, json};

/// A list of `E` in `Self` that Kubernetes merges by key. The impls are generated from the API server's own
/// schema; implement it for a list of your own kinds.
#[diagnostic::on_unimplemented(
    message = "the list of `{E}` in `{Self}` is not merged by a key",
    label = "not opened by a key",
    note = "own it as a whole (`#[at(path)] field: Vec<_>`), or name the key for a type of your own: `[name = \"x\"]`"
)]
pub trait ListMap<E> {
    /// The types of the key's fields.
    type Key;
    /// The fields that make up the key.
    const FIELDS: &'static [KeyField];
}

/// One field of a list's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyField {
    /// Its JSON name.
    pub name: &'static str,
    /// The value that the API server takes where it is absent. It is always sent.
    pub default: Option<&'static str>,
}

/// A key field that holds text.
#[derive(Clone, Copy, Debug)]
pub enum Text {}

/// A key field that holds a number.
#[derive(Clone, Copy, Debug)]
pub enum Number {}

/// A value that can be the key of a list.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not the key of this list",
    label = "this key",
    note = "text for a list keyed by name or path, a number for ports; `[53, \"UDP\"]` names both fields of a key of two"
)]
pub trait IntoKey<Key> {
    /// The values of the key's fields, in order; those left out have their default.
    fn values(self) -> Vec<Value>;
}

macro_rules! text_keys {
    ($($text:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoKey<Text> for $text {
            fn values(self) -> Vec<Value> {
                vec![json!(self)]
            }
        }
    )*};
}
text_keys!(&str, &String, String);

macro_rules! number_keys {
    ($($number:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoKey<Number> for $number {
            fn values(self) -> Vec<Value> {
                vec![json!(self)]
            }
        }
        #[diagnostic::do_not_recommend]
        impl IntoKey<(Number, Text)> for $number {
            fn values(self) -> Vec<Value> {
                vec![json!(self)]
            }
        }
        #[diagnostic::do_not_recommend]
        impl<T: IntoKey<Text>> IntoKey<(Number, Text)> for ($number, T) {
            fn values(self) -> Vec<Value> {
                let mut values = vec![json!(self.0)];
                values.extend(self.1.values());
                values
            }
        }
    )*};
}
number_keys!(u16, u32, i32, i64, &u16, &u32, &i32, &i64);

#[diagnostic::do_not_recommend]
impl<A: IntoKey<Text>, B: IntoKey<Text>> IntoKey<(Text, Text)> for (A, B) {
    fn values(self) -> Vec<Value> {
        let mut values = self.0.values();
        values.extend(self.1.values());
        values
    }
}
