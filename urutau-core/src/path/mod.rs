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
pub use open::{At, Given, MapKey, Opens, Plain, Val};
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

    /// An entry of a map, or of a list that Kubernetes merges by key.
    pub fn entry<'p, K>(&'p self, key: K) -> Path<'p, T::Out, T>
    where
        T: Opens<K, P>,
        K: 'p,
    {
        self.to(T::segment(key))
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

impl<E, P> Path<'_, Vec<E>, P> {
    /// The entry of a list whose field `name` is `key`, for a list that the tables don't know.
    pub fn entry_by<'p, K>(&'p self, name: &'static str, key: K) -> Path<'p, E, Vec<E>>
    where
        K: serde::Serialize,
    {
        self.to(Segment::Entry(vec![(name, serde_json::json!(key))]))
    }
}

/// Writing a map extends what is there: only an equal key clashes. Inherent, so that it is found before
/// [`SetValue`].
impl<V, P> Path<'_, BTreeMap<String, V>, P> {
    /// Writes every entry of a map; an empty one writes nothing.
    pub fn set<W: Write<BTreeMap<String, V>>>(&self, body: &mut Body, value: W) {
        match value.json() {
            Ok(Value::Object(map)) => body.extend(self.link.as_ref(), map),
            Ok(other) => body.set(self.link.as_ref(), other),
            Err(error) => body.unwritable(self.link.as_ref(), &error),
        }
    }
}

/// Writing a value.
pub trait SetValue<T> {
    /// Writes `value` here; an empty list writes nothing.
    fn set<W: Write<T>>(&self, body: &mut Body, value: W);
}

impl<T, P> SetValue<T> for Path<'_, T, P> {
    fn set<W: Write<T>>(&self, body: &mut Body, value: W) {
        match value.json() {
            Ok(Value::Array(list)) if list.is_empty() => {}
            Ok(value) => body.set(self.link.as_ref(), value),
            Err(error) => body.unwritable(self.link.as_ref(), &error),
        }
    }
}
