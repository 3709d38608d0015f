//! Opening what stands on the way of a path: options, maps, lists.

use super::Segment;
use super::keys::{IntoKey, ListMap};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The methods begin with `__`, as an author may have a trait with a method of any other name on every type.
///
/// A place whose `__open` looks through an `Option`: the inherent method is found first for `Option<T>`, the
/// one of [`Plain`] for any other type.
pub struct At<'a, T>(pub &'a mut T);

impl<'a, T> At<'a, Option<T>> {
    /// The value. A path is never walked, so there is none to make where it is absent.
    pub fn __open(self) -> &'a mut T {
        match self.0 {
            Some(value) => value,
            None => unreachable!("a typed path is never walked"),
        }
    }
}

/// A place that is no `Option`.
pub trait Plain<'a> {
    /// The type of the place.
    type Inner;
    /// The place itself.
    fn __open(self) -> &'a mut Self::Inner;
}

impl<'a, T> Plain<'a> for At<'a, T> {
    type Inner = T;
    fn __open(self) -> &'a mut T {
        self.0
    }
}

/// A field's value, looked at through an `Option` in the same way.
pub struct Val<'a, T>(pub &'a T);

impl<'a, T> Val<'a, Option<T>> {
    /// The value, if there is one.
    pub fn __given(self) -> Option<&'a T> {
        self.0.as_ref()
    }
}

/// A value that is always there.
pub trait Given<'a> {
    /// Its type.
    type Inner;
    /// The value.
    fn __given(self) -> Option<&'a Self::Inner>;
}

impl<'a, T> Given<'a> for Val<'a, T> {
    type Inner = T;
    fn __given(self) -> Option<&'a T> {
        Some(self.0)
    }
}

/// A type of which a key opens an entry. `P` is the type that holds it.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no entries that a key opens",
    label = "this key",
    note = "`[..]` opens a map, or a list that Kubernetes merges by key; any other list is owned as a whole: `#[at(path)] field: Vec<_>`"
)]
pub trait Opens<K, P> {
    /// The type of an entry.
    type Out;
    /// The step that leads to it.
    fn segment<'p>(key: K) -> Segment<'p>
    where
        K: 'p;
}

/// A list whose entries are told apart by a field.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` has no entries that a field tells apart",
    label = "not a list",
    note = "`[name = \"x\"]` opens a list by the field that is its key; a map is opened by the key alone: `[\"x\"]`"
)]
pub trait Entries {
    /// The type of an entry.
    type Entry;
}

#[diagnostic::do_not_recommend]
impl<E> Entries for Vec<E> {
    type Entry = E;
}

/// A key of a map.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is not the key of a map",
    label = "this key",
    note = "the keys of a map are text: `data[\"greeting\"]`"
)]
pub trait MapKey {
    /// As a step.
    fn text<'p>(self) -> Cow<'p, str>
    where
        Self: 'p;
}

#[diagnostic::do_not_recommend]
impl MapKey for &str {
    fn text<'p>(self) -> Cow<'p, str>
    where
        Self: 'p,
    {
        Cow::Borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for &String {
    fn text<'p>(self) -> Cow<'p, str>
    where
        Self: 'p,
    {
        Cow::Borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl MapKey for String {
    fn text<'p>(self) -> Cow<'p, str>
    where
        Self: 'p,
    {
        Cow::Owned(self)
    }
}

impl<K: MapKey, V, P> Opens<K, P> for BTreeMap<String, V> {
    type Out = V;
    fn segment<'p>(key: K) -> Segment<'p>
    where
        K: 'p,
    {
        Segment::Field(key.text())
    }
}

impl<E, K, P> Opens<K, P> for Vec<E>
where
    P: ListMap<E>,
    K: IntoKey<P::Key>,
{
    type Out = E;
    fn segment<'p>(key: K) -> Segment<'p>
    where
        K: 'p,
    {
        let values = key.values();
        // A key that was not given has its default; the table says which.
        let fields = P::FIELDS.iter().enumerate();
        Segment::Entry(
            fields
                .map(|(i, field)| {
                    let value = values.get(i).cloned().or_else(|| field.default.map(Into::into));
                    (field.name, value.unwrap_or_default())
                })
                .collect(),
        )
    }
}
