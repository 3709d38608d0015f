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

/// Whether `text` can be what the template gives when only the fields and the key are unknown.
pub fn may_be(template: Name, names: &Names<'_>, text: &str) -> bool {
    let Some((first, rest)) = template.split_first() else { return text.is_empty() };
    let fixed = match first {
        Piece::Owner => names.owner,
        Piece::Namespace => names.namespace,
        Piece::Base => names.name,
        Piece::Text(part) => part,
        Piece::Key | Piece::Field(_) => {
            return text
                .char_indices()
                .map(|(at, _)| at)
                .chain([text.len()])
                .any(|at| may_be(rest, names, &text[at..]));
        }
    };
    text.strip_prefix(fixed).is_some_and(|text| may_be(rest, names, text))
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

/// One step of a template when it is read from left to right.
enum Token {
    Byte(u8),
    Blank(Piece),
    End,
}

/// Reads a template, with `{name}` replaced by the template of its base.
struct Reader {
    name: Name,
    base: Option<Name>,
    piece: usize,
    inner: usize,
    byte: usize,
}

impl Reader {
    const fn new(name: Name, base: Option<Name>) -> Self {
        Self { name, base, piece: 0, inner: 0, byte: 0 }
    }

    const fn next(&mut self) -> Token {
        while self.piece < self.name.len() {
            let (piece, in_base) = match (self.name[self.piece], self.base) {
                (Piece::Base, Some(base)) => {
                    if self.inner >= base.len() {
                        self.piece += 1;
                        self.inner = 0;
                        continue;
                    }
                    (base[self.inner], true)
                }
                (piece, _) => (piece, false),
            };
            if let Piece::Text(text) = piece
                && self.byte < text.len()
            {
                self.byte += 1;
                return Token::Byte(text.as_bytes()[self.byte - 1]);
            }
            self.byte = 0;
            if in_base {
                self.inner += 1;
            } else {
                self.piece += 1;
            }
            if !matches!(piece, Piece::Text(_)) {
                return Token::Blank(piece);
            }
        }
        Token::End
    }
}

/// Whether two templates always give the same text. `{name}` in either stands for the template of its base.
pub const fn same(a: Name, a_base: Option<Name>, b: Name, b_base: Option<Name>) -> bool {
    let (mut a, mut b) = (Reader::new(a, a_base), Reader::new(b, b_base));
    loop {
        match (a.next(), b.next()) {
            (Token::End, Token::End) => return true,
            (Token::Byte(a), Token::Byte(b)) if a == b => {}
            (Token::Blank(a), Token::Blank(b)) if same_blank(a, b) => {}
            _ => return false,
        }
    }
}

const fn same_blank(a: Piece, b: Piece) -> bool {
    match (a, b) {
        (Piece::Owner, Piece::Owner)
        | (Piece::Namespace, Piece::Namespace)
        | (Piece::Base, Piece::Base)
        | (Piece::Key, Piece::Key) => true,
        (Piece::Field(a), Piece::Field(b)) => same_text(a, b),
        _ => false,
    }
}

/// Whether the template depends on what distinguishes one object of a collection from the next.
pub const fn varies(name: Name) -> bool {
    let mut i = 0;
    while i < name.len() {
        if matches!(name[i], Piece::Field(_) | Piece::Key) {
            return true;
        }
        i += 1;
    }
    false
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

    #[test]
    fn templates_are_compared_through_their_base() {
        const WRITTEN_OUT: Name = &[Piece::Owner, Piece::Text("-coordinator-tls")];
        const { assert!(same(TLS, Some(BASE), WRITTEN_OUT, None)) }
        const { assert!(!same(TLS, Some(BASE), BASE, None) && same(BASE, None, BASE, None)) }
        const { assert!(varies(TABLE) && !varies(TLS)) }
    }

    #[test]
    fn a_name_that_a_waiting_member_may_have_is_recognised() {
        let names = Names::new("shop", "", "");
        assert!(may_be(TABLE, &names, "shop-orders-s"));
        assert!(may_be(TABLE, &names, "shop--s"));
        assert!(!may_be(TABLE, &names, "shop-orders"));
        assert!(!may_be(TABLE, &names, "shop2-orders-s"));
    }
}
