//! Reading what may be of any type: a field that is not what it should be must not stop a watch.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// What is read where it stands, and is its default where there is anything else.
pub(crate) trait Lenient<'de>: Default {
    /// Reads a text.
    fn text(_: Cow<'de, str>) -> Self {
        Self::default()
    }

    /// Reads a map.
    fn map<A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }

    /// Reads a list.
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Reads it, whatever there is.
pub(crate) fn any<'de, T: Lenient<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Any<T>(PhantomData<T>);

    impl<'de, T: Lenient<'de>> Visitor<'de> for Any<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }

        fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
            Ok(T::text(text.into()))
        }

        fn visit_str<E>(self, text: &str) -> Result<T, E> {
            Ok(T::text(text.to_owned().into()))
        }

        fn visit_string<E>(self, text: String) -> Result<T, E> {
            Ok(T::text(text.into()))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::map(map)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
            T::list(list)
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
    }

    deserializer.deserialize_any(Any(PhantomData))
}

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
    any(deserializer).map(|Object(object)| object)
}

/// A list of objects that are read as they come, or nothing where there is something else.
pub(crate) fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    any(deserializer).map(|List(items)| items)
}

#[derive(Default)]
struct Object<T>(T);

impl<'de, T: Deserialize<'de> + Default> Lenient<'de> for Object<T> {
    fn map<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Self)
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any(deserializer)
    }
}

#[derive(Default)]
struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de> + Default> Lenient<'de> for List<T> {
    fn list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let mut items = Vec::new();
        while let Some(Object(item)) = list.next_element()? {
            items.push(item);
        }
        Ok(Self(items))
    }
}
