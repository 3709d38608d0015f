//! JSON copied as text while it is read, with the hash of what it says: no tree of it is ever made.

use super::super::hash;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use std::fmt;

/// How a number is handed on where the program has `serde_json`'s feature `arbitrary_precision`: as a map of this.
const NUMBER: &str = "$serde_json::private::Number";

/// Copies one value to the end of a text, and gives its hash: that of [`hash::value`].
pub(super) struct Copied<'a>(pub(super) &'a mut Vec<u8>);

/// A map that is being copied to the end of a text.
pub(super) struct CopiedMap<'a> {
    to: &'a mut Vec<u8>,
    begun: bool,
}

impl<'a> CopiedMap<'a> {
    pub(super) fn begin(to: &'a mut Vec<u8>) -> Self {
        to.push(b'{');
        Self { to, begun: false }
    }

    /// Writes a key, and gives the place of its value.
    pub(super) fn key<E: Error>(&mut self, key: &str) -> Result<&mut Vec<u8>, E> {
        if std::mem::replace(&mut self.begun, true) {
            self.to.push(b',');
        }
        write(self.to, key)?;
        self.to.push(b':');
        Ok(self.to)
    }

    pub(super) fn end(self) {
        self.to.push(b'}');
    }
}

fn write<E: Error>(to: &mut Vec<u8>, value: &(impl serde::Serialize + ?Sized)) -> Result<(), E> {
    serde_json::to_writer(to, value).map_err(E::custom)
}

impl Copied<'_> {
    fn scalar<E: Error>(self, value: &Value) -> Result<u64, E> {
        write(self.0, value)?;
        Ok(hash::value(value))
    }
}

impl<'de> DeserializeSeed<'de> for Copied<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Copied<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let mut next = map.next_key::<String>()?;
        if next.as_deref() == Some(NUMBER) {
            let number: String = map.next_value()?;
            self.0.extend_from_slice(number.as_bytes());
            return Ok(hash::number(&number));
        }
        let mut copy = CopiedMap::begin(self.0);
        let mut all = 0_u64;
        while let Some(key) = next {
            let value = map.next_value_seed(Copied(copy.key(&key)?))?;
            all = all.wrapping_add(hash::entry(&key, value));
            next = map.next_key()?;
        }
        copy.end();
        Ok(hash::map(all))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u64, A::Error> {
        let mut all = Vec::new();
        self.0.push(b'[');
        let begun = self.0.len();
        loop {
            let end = self.0.len();
            if end > begun {
                self.0.push(b',');
            }
            let Some(item) = seq.next_element_seed(Copied(self.0))? else {
                self.0.truncate(end);
                break;
            };
            all.push(item);
        }
        self.0.push(b']');
        Ok(hash::list(all.into_iter()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        write(self.0, text)?;
        Ok(hash::text(text))
    }

    fn visit_unit<E: Error>(self) -> Result<u64, E> {
        self.scalar(&Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<u64, E> {
        self.scalar(&Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        self.scalar(&Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        self.scalar(&Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        self.scalar(&Number::from_f64(value).map_or(Value::Null, Value::Number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_says_the_same_and_has_its_hash() {
        let texts = [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "1.5",
            "1e300",
            r#""a \"quoted\" \\ text\nö\u0000""#,
            "[]",
            "{}",
            r#"[[],{},null,[1,[2]],"",0.1]"#,
            r#"{"b":{"x":[1,true,null]},"a":"","\"":{"":-0.5}}"#,
        ];
        for text in texts {
            let value: Value = serde_json::from_str(text).unwrap();
            let mut copy = Vec::new();
            let hash = Copied(&mut copy).deserialize(&mut serde_json::Deserializer::from_str(text)).unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&copy).unwrap(), value, "{text}");
            assert_eq!(hash, hash::value(&value), "{text}");
        }
    }
}
