//! What objects are known by.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A name within a namespace, in one small allocation that its copies share.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ObjectKey(Arc<str>);

impl ObjectKey {
    /// The key of an object; an empty namespace is none.
    pub(super) fn new(namespace: &str, name: &str) -> Self {
        Self(text(namespace, name).into())
    }

    /// The namespace; empty for what has none.
    pub(super) fn namespace(&self) -> &str {
        self.0.split_once('/').map_or("", |(namespace, _)| namespace)
    }

    /// The name.
    pub(super) fn name(&self) -> &str {
        self.0.split_once('/').map_or(&self.0, |(_, name)| name)
    }
}

/// The text of a key, to look one up.
pub(super) fn text(namespace: &str, name: &str) -> String {
    let mut text = String::with_capacity(namespace.len() + name.len() + 1);
    text.push_str(namespace);
    text.push('/');
    text.push_str(name);
    text
}

impl ObjectKey {
    /// The [`text`] of this key.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for ObjectKey {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl Borrow<str> for ObjectKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// `team-a/shop`, or `shop` for what has no namespace.
impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_start_matches('/'))
    }
}

impl fmt::Debug for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What tells an object from others that had or will have its name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Uid(Repr);

/// API servers write random UUIDs, which fit into 16 bytes; anything else is kept as it came.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Uuid([u8; 16]),
    Text(Box<str>),
}

impl From<&str> for Uid {
    fn from(text: &str) -> Self {
        Self(uuid(text).map_or_else(|| Repr::Text(text.into()), Repr::Uuid))
    }
}

/// The bytes of a UUID in the one form that is written back the same.
fn uuid(text: &str) -> Option<[u8; 16]> {
    let mut id = [0; 16];
    let mut digits = 0;
    for (at, c) in text.bytes().enumerate() {
        if matches!(at, 8 | 13 | 18 | 23) {
            if c != b'-' {
                return None;
            }
            continue;
        }
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'a'..=b'f' => c - b'a' + 10,
            _ => return None,
        };
        let byte: &mut u8 = id.get_mut(digits / 2)?;
        *byte = (*byte << 4) | digit;
        digits += 1;
    }
    (digits == 32).then_some(id)
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Text(text) => f.write_str(text),
            Repr::Uuid(id) => {
                for (i, byte) in id.iter().enumerate() {
                    if matches!(i, 4 | 6 | 8 | 10) {
                        f.write_str("-")?;
                    }
                    write!(f, "{byte:02x}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uid_is_written_back_as_it_came() {
        for text in
            ["0a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5", "0A1B2C3D-0000-4fff-8e9f-a0b1c2d3e4f5", "", "x", "0a1b2c3d"]
        {
            assert_eq!(Uid::from(text).to_string(), text);
        }
        assert!(matches!(Uid::from("0a1b2c3d-0000-4fff-8e9f-a0b1c2d3e4f5").0, Repr::Uuid(_)));
        assert!(size_of::<Uid>() <= 24);
    }

    #[test]
    fn a_key_gives_its_parts() {
        let key = ObjectKey::new("team-a", "shop");
        assert_eq!((key.namespace(), key.name(), key.to_string()), ("team-a", "shop", "team-a/shop".into()));
        let key = ObjectKey::new("", "shop");
        assert_eq!((key.namespace(), key.name(), key.to_string()), ("", "shop", "shop".into()));
    }
}
