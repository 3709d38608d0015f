//! Values that are written as text and mean more than their characters: durations, sizes, addresses, quantities.
//!
//! Each is one type with one reader. The reader serves serde, the schema names it, and the walk of
//! [`shape`](crate::shape) calls it, so that no text is understood in two ways.

mod address;
mod duration;
mod identifier;
mod server_id;
mod size;
#[cfg(test)]
mod tests;

use std::fmt;

pub use address::Address;
pub use duration::Duration;
pub use identifier::Identifier;
pub use server_id::ServerId;
pub use size::Size;

/// The key under which a schema names the kind of text that a string holds.
pub(crate) const KEYWORD: &str = "x-urutau-text";

/// A value that is read from text.
pub trait Text: Sized {
    /// The name of this kind of text, as a schema says it.
    const KIND: &'static str;
    /// Some text that can always be read, to stand in for one that could not.
    const STAND_IN: &'static str;

    /// Reads the text.
    ///
    /// # Errors
    /// What is wrong with it, and what to write.
    fn read(text: &str) -> Result<Self, Unreadable>;
}

/// Why a text was not understood, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unreadable {
    /// What is wrong, naming the text.
    pub message: String,
    /// What to write.
    pub fix: String,
}

impl Unreadable {
    pub(crate) fn new(message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { message: message.into(), fix: fix.into() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.fix)
    }
}

impl std::error::Error for Unreadable {}

/// One kind of text, without its type: enough to check a string that a schema says is of this kind.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) stand_in: &'static str,
    pub(crate) check: fn(&str) -> Result<(), Unreadable>,
}

impl Kind {
    const fn of<T: Text>() -> Self {
        Self { name: T::KIND, stand_in: T::STAND_IN, check: |text| T::read(text).map(|_| ()) }
    }

    /// The kind of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }
}

const KINDS: [Kind; 7] = [
    Kind::of::<Address>(),
    Kind::of::<Duration>(),
    Kind::of::<Identifier>(),
    Kind::of::<ServerId>(),
    Kind::of::<Size>(),
    Kind::of::<crate::quantity::Quantity>(),
    Kind::of::<crate::definition::Partition>(),
];

/// Reads and describes a [`Text`] wherever serde or schemars meet it: as a string and nothing else.
macro_rules! as_text {
    ($type:ty) => {
        impl std::str::FromStr for $type {
            type Err = $crate::text::Unreadable;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                <Self as $crate::text::Text>::read(text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(from)?;
                <Self as $crate::text::Text>::read(&text).map_err(serde::de::Error::custom)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                <Self as $crate::text::Text>::KIND.into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "type": "string",
                    ($crate::text::KEYWORD): <Self as $crate::text::Text>::KIND,
                })
            }
        }
    };
}
pub(crate) use as_text;
