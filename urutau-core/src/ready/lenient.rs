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

/// A list of objects that are read as they come, or nothing where there is something else.
pub(crate) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    struct Item<T>(T);

    impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Item<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            object(deserializer).map(Self)
        }
    }

    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut items = Vec::new();
            while let Some(Item(item)) = seq.next_element()? {
                items.push(item);
            }
            Ok(items)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<T>, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Vec::new())
        }

        fn visit_unit<E>(self) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_bool<E>(self, _: bool) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_i64<E>(self, _: i64) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_u64<E>(self, _: u64) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_f64<E>(self, _: f64) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }

        fn visit_str<E>(self, _: &str) -> Result<Vec<T>, E> {
            Ok(Vec::new())
        }
    }

    deserializer.deserialize_any(List(PhantomData))
}
