//! `fieldsV1` reduced to a hash while it is read, with the labels and annotations that it claims.

use super::super::hash;
use super::claims::Flat;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The fields that a manager claims.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Fields {
    /// A hash of all of them, whatever their order.
    pub(super) hash: u64,
    /// The hashes of the keys of the labels among them.
    pub(super) labels: Vec<u64>,
    /// The hashes of the keys of the annotations among them.
    pub(super) annotations: Vec<u64>,
    /// Whether `spec.replicas` is among them.
    pub(super) replicas: bool,
    /// All of them, to be read as a tree should anybody want to know.
    pub(in super::super) tree: Flat,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Self::default();
        fields.hash = Walk { place: Place::Root, depth: 0, claims: &mut fields }.deserialize(deserializer)?;
        Ok(fields)
    }
}

/// Where in the tree the walk is, as far as it matters.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Root,
    Metadata,
    Labels,
    Annotations,
    Spec,
    Replicas,
    Elsewhere,
    /// Not in a tree of fields.
    Text,
}

impl Place {
    fn below(self, key: &str) -> Self {
        match (self, key) {
            (Self::Text, _) => Self::Text,
            (Self::Root, "f:metadata") => Self::Metadata,
            (Self::Metadata, "f:labels") => Self::Labels,
            (Self::Metadata, "f:annotations") => Self::Annotations,
            (Self::Root, "f:spec") => Self::Spec,
            (Self::Spec, "f:replicas") => Self::Replicas,
            _ => Self::Elsewhere,
        }
    }
}

struct Walk<'a> {
    place: Place,
    depth: u8,
    claims: &'a mut Fields,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// It takes whatever there is: what is stored may be broken, and then it is only a hash that fits nothing.
impl<'de> Visitor<'de> for Walk<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a set of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        let mut all = 0_u64;
        let (above, depth) = (self.place, self.depth);
        while let Some((key, place)) = map.next_key_seed(Key { place: above, depth, claims: &mut *self.claims })? {
            let depth = depth.saturating_add(1);
            let below = map.next_value_seed(Walk { place, depth, claims: &mut *self.claims })?;
            all = all.wrapping_add(hash::pair(key, below));
        }
        Ok(hash::pair(4, all))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u64, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(3)
    }

    fn visit_str<E>(self, text: &str) -> Result<u64, E> {
        Ok(hash::pair(2, hash::bytes(text.as_bytes())))
    }

    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(0)
    }

    fn visit_bool<E>(self, value: bool) -> Result<u64, E> {
        Ok(hash::pair(1, u64::from(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<u64, E> {
        Ok(hash::pair(1, value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<u64, E> {
        Ok(hash::pair(1, value.cast_unsigned()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<u64, E> {
        Ok(hash::pair(1, value.to_bits()))
    }
}

/// A key of the tree: its hash, and the place that it leads to.
struct Key<'a> {
    place: Place,
    depth: u8,
    claims: &'a mut Fields,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = (u64, Place);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(u64, Place), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = (u64, Place);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field")
    }

    fn visit_str<E>(self, key: &str) -> Result<(u64, Place), E> {
        if let Some(claimed) = key.strip_prefix("f:") {
            match self.place {
                Place::Labels => self.claims.labels.push(hash::bytes(claimed.as_bytes())),
                Place::Annotations => self.claims.annotations.push(hash::bytes(claimed.as_bytes())),
                _ => {}
            }
        }
        let place = self.place.below(key);
        self.claims.replicas |= place == Place::Replicas;
        if place != Place::Text {
            self.claims.tree.push(self.depth, key);
        }
        Ok((hash::bytes(key.as_bytes()), place))
    }
}

/// A map of texts as hashes: of each key, and of its value.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts(Vec<(u64, u64)>);

impl Texts {
    /// A hash of the values under these keys.
    pub(super) fn under(&self, keys: &[u64]) -> u64 {
        hash::sum(self.0.iter().filter(|(key, _)| keys.contains(key)).map(|(key, value)| hash::pair(*key, *value)))
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                let mut none = Fields::default();
                let place = Place::Text;
                while let Some((key, _)) = map.next_key_seed(Key { place, depth: 0, claims: &mut none })? {
                    let value = map.next_value_seed(Walk { place, depth: 0, claims: &mut none })?;
                    texts.push((key, value));
                }
                Ok(Texts(texts))
            }

            fn visit_unit<E>(self) -> Result<Texts, E> {
                Ok(Texts::default())
            }
        }
        deserializer.deserialize_any(All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Fields {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_order_does_not_count_but_every_field_does() {
        let both = r#"{"f:data":{"f:a":{},"f:b":{}},"f:metadata":{"f:labels":{"f:x":{}}}}"#;
        let turned = r#"{"f:metadata":{"f:labels":{"f:x":{}}},"f:data":{"f:b":{},"f:a":{}}}"#;
        assert_eq!(fields(both).hash, fields(turned).hash);
        let others = [
            r#"{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{"f:x":{}}}}"#,
            r#"{"f:data":{"f:a":{},"f:b":{}}}"#,
            r#"{"f:data":{".":{},"f:a":{},"f:b":{}},"f:metadata":{"f:labels":{"f:x":{}}}}"#,
            r#"{"f:data":{"f:a":{"f:b":{}}},"f:metadata":{"f:labels":{"f:x":{}}}}"#,
        ];
        for other in others {
            assert_ne!(fields(both).hash, fields(other).hash, "{other}");
        }
    }

    #[test]
    fn claimed_labels_and_annotations_are_known() {
        let fields = fields(
            r#"{"f:metadata":{"f:labels":{".":{},"f:a":{}},"f:annotations":{"f:b":{},"f:c":{}}},
                "f:spec":{"f:template":{"f:metadata":{"f:labels":{"f:d":{}}}}}}"#,
        );
        assert_eq!(fields.labels, [hash::bytes(b"a")]);
        assert_eq!(fields.annotations, [hash::bytes(b"b"), hash::bytes(b"c")]);
    }

    #[test]
    fn a_07_broken_fields_are_read_all_the_same() {
        let broken = [
            "{}",
            "null",
            "[]",
            r#"[{"f:a":{}}]"#,
            r#""not a tree""#,
            "7",
            "-7",
            "1.5",
            "true",
            r#"{"f:data":null}"#,
            r#"{"k:{\"name\":\"gone\"}":{"v:\"a\"":{},"i:0":{}}}"#,
            r#"{"f:metadata":7}"#,
        ];
        for text in broken {
            let _ = fields(text);
        }
    }

    #[test]
    fn only_the_values_under_the_claimed_keys_count() {
        let texts = |text: &str| serde_json::from_str::<Texts>(text).unwrap();
        let keys = [hash::bytes(b"a"), hash::bytes(b"b")];
        let ours = texts(r#"{"a":"1","b":"2"}"#).under(&keys);
        assert_eq!(ours, texts(r#"{"z":"9","b":"2","a":"1"}"#).under(&keys));
        assert_ne!(ours, texts(r#"{"a":"2","b":"1"}"#).under(&keys));
        assert_ne!(ours, texts(r#"{"a":"1"}"#).under(&keys));
        assert_eq!(texts("null").under(&keys), 0);
    }
}
