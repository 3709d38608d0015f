//! Typed paths: Rust field access on the way in, JSON on the way out.
//!
//! A path knows the type it leads to and the JSON segments it is made of. The closures that prove the
//! fields exist are never called, so a path costs nothing but its segments.

mod keys;
mod list_maps;
mod open;
mod place;

pub use keys::{IntoKey, KeyField, ListMap, Number, Text};
pub use list_maps::merge_keys_of;
pub use open::{At, Entries, Given, MapKey, Opens, Plain, Val};
pub(crate) use place::{Place, place};

use crate::body::Body;
use crate::name::Names;
use crate::part::Part;
use crate::write::Write;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// One step of a path.
#[derive(Clone, Debug)]
pub enum Segment<'p> {
    /// A field of an object, or an entry of a map.
    Field(Cow<'p, str>),
    /// The entry of a list whose key fields have these values.
    Entry(Vec<(&'static str, Value)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Link<'p> {
    parent: Option<&'p Link<'p>>,
    segment: Segment<'p>,
}

/// A path to a `T` within a body; `P` is the type that has it, which decides how a list is merged.
pub struct Path<'p, T, P = ()> {
    link: Option<Link<'p>>,
    types: PhantomData<fn() -> (T, P)>,
}

impl<T> Path<'_, T> {
    /// The whole body.
    pub fn root() -> Self {
        Self { link: None, types: PhantomData }
    }
}

impl<T, P> Path<'_, T, P> {
    fn to<'p, U>(&'p self, segment: Segment<'p>) -> Path<'p, U, T> {
        Path { link: Some(Link { parent: self.link.as_ref(), segment }), types: PhantomData }
    }

    /// The field that JSON calls `name`; the closure proves that there is one and gives its type.
    pub fn field<'p, U>(&'p self, name: &'p str, _typed: fn(&mut T) -> &mut U) -> Path<'p, U, T> {
        self.to(Segment::Field(Cow::Borrowed(name)))
    }

    /// Writes a value; an empty list or map writes nothing. A map extends what is there: only an equal key clashes.
    pub fn set<W: Write<T>>(&self, body: &mut Body, value: W) {
        match value.json() {
            Ok(Value::Array(list)) if list.is_empty() => {}
            Ok(Value::Object(map)) if is_map::<T>() => body.extend(self.link.as_ref(), map),
            Ok(value) => body.set(self.link.as_ref(), value),
            Err(error) => body.unwritable(self.link.as_ref(), &error),
        }
    }

    /// Makes the object there present; where nothing else writes into it, it is `{}`.
    pub fn present(&self, body: &mut Body) {
        body.present(self.link.as_ref());
    }

    /// Writes a part below this path.
    pub fn part<R: Part<T>>(&self, part: &R, names: &Names<'_>, body: &mut Body) {
        part.write(names, &Path { link: self.link.clone(), types: PhantomData }, body);
    }
}

/// An entry of a map, or of a list that Kubernetes merges by key. Functions, not methods: a bound that a method lacks
/// is told as a method that is not there.
pub fn entry<'p, T, P, K>(path: &'p Path<'_, T, P>, key: K) -> Path<'p, T::Out, T>
where
    T: Opens<K, P>,
    K: 'p,
{
    path.to(T::segment(key))
}

/// The entry of a list whose field `name` is `key`, for a list that the tables don't know.
pub fn entry_by<'p, T, P, K>(path: &'p Path<'_, T, P>, name: &'static str, key: K) -> Path<'p, T::Entry, T>
where
    T: Entries,
    K: serde::Serialize,
{
    path.to(Segment::Entry(vec![(name, serde_json::json!(key))]))
}

/// Whether `T` is a map. Two methods of one name could tell the compiler so, but then a path that is wrong would be
/// taken for one that leads to a map, and a second error follow the first.
fn is_map<T>() -> bool {
    let prefix = |name: &'static str| name.split('<').next();
    prefix(std::any::type_name::<T>()) == prefix(std::any::type_name::<BTreeMap<String, String>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_told_from_what_is_written_as_one() {
        assert!(is_map::<BTreeMap<String, String>>() && is_map::<BTreeMap<String, Vec<u8>>>());
        assert!(!is_map::<Vec<BTreeMap<String, String>>>() && !is_map::<Option<BTreeMap<String, String>>>());
        assert!(!is_map::<k8s_openapi::api::core::v1::ConfigMap>() && !is_map::<Value>());
    }
}
