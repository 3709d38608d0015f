//! Reading what may be of any type: a field that is not what it should be must not stop a watch.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// A small value, or nothing where it is of another type.
pub(crate) fn leaf<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Leaf<T> {
        Good(T),
        Other(IgnoredAny),
    }
    Ok(match Leaf::deserialize(deserializer)? {
        Leaf::Good(value) => value,
        Leaf::Other(IgnoredAny) => T::default(),
    })
}

/// An object that is read as it comes, or nothing where there is something else.
pub(crate) fn object<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(T::default())
        }

        fn visit_unit<E>(self) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_bool<E>(self, _: bool) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_i64<E>(self, _: i64) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_u64<E>(self, _: u64) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_f64<E>(self, _: f64) -> Result<T, E> {
            Ok(T::default())
        }

        fn visit_str<E>(self, _: &str) -> Result<T, E> {
            Ok(T::default())
        }
    }

    deserializer.deserialize_any(Object(PhantomData))
}
