//! A text that is looked at while an object is read, and most often not kept.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
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

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(text.to_owned().into()))
            }

            fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
                Ok(Text(text.into()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Text::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Text::default())
            }

            fn visit_unit<E>(self) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }

            fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<Text<'de>, E> {
                Ok(Text::default())
            }
        }
        deserializer.deserialize_any(Any)
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
