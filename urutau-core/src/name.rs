//! Names as templates: `"{owner}-coordinator"` as a constant that can be compared at compile time.

use std::fmt::Write as _;

/// One piece of a name template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// `{owner}`: the owner's name.
    Owner,
    /// `{namespace}`: the owner's namespace.
    Namespace,
    /// `{name}`: the name that is handed down by the set.
    Base,
    /// `{key}`: the key under which a map holds this member.
    Key,
    /// A field of the struct.
    Field(&'static str),
    /// Text as it stands.
    Text(&'static str),
}

/// A name template.
pub type Name = &'static [Piece];

/// What the strings of an attribute can refer to, filled in.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Names<'a> {
    /// `{owner}`: the owner's name.
    pub owner: &'a str,
    /// `{namespace}`: the owner's namespace; empty for a cluster-scoped owner.
    pub namespace: &'a str,
    /// `{name}`: the name of the object itself.
    pub name: &'a str,
    /// `{key}`: the key under which a map holds this member; empty elsewhere.
    pub key: &'a str,
}

impl<'a> Names<'a> {
    /// The names for an object `name` that `owner` in `namespace` owns.
    pub fn new(owner: &'a str, namespace: &'a str, name: &'a str) -> Self {
        Self { owner, namespace, name, key: "" }
    }

    /// The same names for another object.
    #[must_use]
    pub fn named(self, name: &'a str) -> Self {
        Self { name, ..self }
    }
}

/// Fills in a template. `names.name` is the name that was handed down; `field` gives the text of a field.
pub fn render(template: Name, names: &Names<'_>, field: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    for piece in template {
        // Writing to a String can't fail.
        let _ = match piece {
            Piece::Owner => text.write_str(names.owner),
            Piece::Namespace => text.write_str(names.namespace),
            Piece::Base => text.write_str(names.name),
            Piece::Key => text.write_str(names.key),
            Piece::Field(name) => text.write_str(&field(name)),
            Piece::Text(part) => text.write_str(part),
        };
    }
    text
}

/// Whether two texts are equal, in constants too.
pub const fn same_text(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Name = &[Piece::Owner, Piece::Text("-coordinator")];
    const TLS: Name = &[Piece::Base, Piece::Text("-tls")];
    const TABLE: Name = &[Piece::Owner, Piece::Text("-"), Piece::Field("table"), Piece::Text("-s")];

    #[test]
    fn a_template_is_filled_in() {
        let names = Names::new("shop", "team-a", "shop-coordinator");
        assert_eq!(render(BASE, &names, &|_| String::new()), "shop-coordinator");
        assert_eq!(render(TLS, &names, &|_| String::new()), "shop-coordinator-tls");
        assert_eq!(render(TABLE, &names, &|f| format!("<{f}>")), "shop-<table>-s");
    }
}
