//! A text that is looked at while an object is read, and most often not kept.

use crate::ready::lenient::{self, Lenient};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;
use std::ops::Deref;

/// A text, borrowed from what is read where it stands there as it is; empty where there is something else.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Text<'a>(Cow<'a, str>);

impl Text<'_> {
    pub(in super::super) fn into_string(self) -> String {
        self.0.into_owned()
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Lenient<'de> for Text<'de> {
    fn text(text: Cow<'de, str>) -> Self {
        Self(text)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient::any::<Text<'de>, D>(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_and_anything_else_is_none() {
        let read = |json: &'static str| serde_json::from_str::<Text<'static>>(json).unwrap();
        assert!(matches!(read(r#""plain""#).0, Cow::Borrowed("plain")));
        assert_eq!(&*read(r#""a \"b\"""#), "a \"b\"");
        for other in ["null", "true", "7", "-7", "1.5", "[1,[2]]", r#"{"a":{"b":1}}"#] {
            assert_eq!(&*read(other), "", "{other}");
        }
        let buffered: Text<'_> = Text::deserialize(serde_json::json!("owned")).unwrap();
        assert_eq!(buffered.into_string(), "owned");
    }
}
