//! The name that is handed down through a tree: one account of it for every walk, in constants and with values.

use crate::name::{Name, Names, Piece, same_text};
use crate::node::{Binding, Node, Object, Set, Slot};

/// A name as it comes about: a template, and what `{name}` stands for in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handed<'a> {
    name: Name,
    above: Option<&'a Handed<'a>>,
    /// Whether it replaces a name of the node's own.
    renamed: bool,
    /// The namespace that it is said to be in.
    namespace: Option<Name>,
}

impl<'a> Handed<'a> {
    const fn new(name: Name, above: Option<&'a Self>, namespace: Option<Name>) -> Self {
        Self { name, above, renamed: false, namespace }
    }

    /// What the whole of a tree is handed: to a set with an owner its name, to any other whatever it is.
    pub(crate) const fn root(node: &Node) -> Self {
        match node {
            Node::Set(set) => Self::of_set(set),
            _ => Self::new(&[Piece::Base], None, None),
        }
    }

    /// The same for a set.
    pub(crate) const fn of_set(set: &Set) -> Self {
        let name: Name = if set.owner.is_some() { &[Piece::Owner] } else { &[Piece::Base] };
        Self::new(name, None, None)
    }

    /// The name of an object.
    pub(crate) const fn object(&'a self, object: &Object) -> Self {
        match object.name {
            Some(own) if !self.renamed => Self::new(own, Some(self), self.namespace),
            _ => *self,
        }
    }

    /// The base name of a set, which `{name}` stands for in it.
    pub(crate) const fn base(&'a self, set: &Set) -> Self {
        match set.name {
            Some(own) if !self.renamed => Self::new(own, Some(self), self.namespace),
            _ => Self { renamed: false, ..*self },
        }
    }

    /// What a member of a set with this base name is handed.
    pub(crate) const fn slot(&'a self, slot: &Slot) -> Self {
        let namespace = match slot.namespace {
            Some(namespace) => Some(namespace),
            None => self.namespace,
        };
        match slot.name {
            Some(name) => Self { renamed: true, ..Self::new(name, Some(self), namespace) },
            None => Self { renamed: false, namespace, ..*self },
        }
    }

    /// A name that an object refers to, in which `{name}` is its own.
    pub(crate) const fn refers(&'a self, name: Name) -> Self {
        Self::new(name, Some(self), self.namespace)
    }

    /// The name of the role that an object binds.
    pub(crate) const fn bound(&'a self, binding: &Binding) -> Self {
        let name = self.refers(binding.name);
        if binding.role.namespaced { name } else { name.nowhere() }
    }

    /// The name without its namespace, for what lives in none.
    pub(crate) const fn nowhere(self) -> Self {
        Self { namespace: None, ..self }
    }

    /// The template, where it is one text.
    pub(crate) const fn fixed(&self) -> Option<Name> {
        match (self.name, self.above) {
            ([Piece::Base], Some(above)) => above.fixed(),
            ([Piece::Text(_)], _) => Some(self.name),
            _ => None,
        }
    }

    /// Whether it depends on what tells one object of a collection from the next.
    pub(crate) const fn varies(&self) -> bool {
        let mut i = 0;
        while i < self.name.len() {
            let varies = match (self.name[i], self.above) {
                (Piece::Field(_) | Piece::Key, _) => true,
                (Piece::Base, Some(above)) => above.varies(),
                _ => false,
            };
            if varies {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether both are always the same name in the same namespace.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        let namespaces = match (self.namespace, other.namespace) {
            (None, None) => true,
            (Some(one), Some(two)) => Self::new(one, None, None).reads_as(&Self::new(two, None, None)),
            _ => false,
        };
        namespaces && self.reads_as(other)
    }

    const fn reads_as(&self, other: &Self) -> bool {
        let tokens = self.tokens();
        if tokens != other.tokens() {
            return false;
        }
        let mut i = 0;
        while i < tokens {
            let same = match (self.token(i), other.token(i)) {
                (Token::Byte(a), Token::Byte(b)) => a == b,
                (Token::Blank(a), Token::Blank(b)) => same_blank(a, b),
                _ => false,
            };
            if !same {
                return false;
            }
            i += 1;
        }
        true
    }

    /// How many letters and blanks it has, once `{name}` is read as what it stands for.
    const fn tokens(&self) -> usize {
        let (mut tokens, mut i) = (0, 0);
        while i < self.name.len() {
            tokens += self.tokens_of(self.name[i]);
            i += 1;
        }
        tokens
    }

    const fn tokens_of(&self, piece: Piece) -> usize {
        match (piece, self.above) {
            (Piece::Text(text), _) => text.len(),
            (Piece::Base, Some(above)) => above.tokens(),
            _ => 1,
        }
    }

    const fn token(&self, at: usize) -> Token {
        let (mut before, mut i) = (0, 0);
        while i < self.name.len() {
            let piece = self.name[i];
            let tokens = self.tokens_of(piece);
            if at < before + tokens {
                return match (piece, self.above) {
                    (Piece::Text(text), _) => Token::Byte(text.as_bytes()[at - before]),
                    (Piece::Base, Some(above)) => above.token(at - before),
                    _ => Token::Blank(piece),
                };
            }
            before += tokens;
            i += 1;
        }
        Token::Blank(Piece::Base)
    }
}

/// One step of a name that is read from left to right.
enum Token {
    Byte(u8),
    Blank(Piece),
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

/// A name of which all is known but fields and keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Option<String>>);

impl Pattern {
    /// A name that is known.
    pub(crate) fn text(text: &str) -> Self {
        Self(vec![Some(text.to_owned())])
    }

    /// A template filled in as far as it can be; `{name}` stands for `base`.
    pub(crate) fn of(template: Name, names: &Names<'_>, base: &Self) -> Self {
        let mut parts = Vec::new();
        for piece in template {
            match piece {
                Piece::Owner => parts.push(Some(names.owner.to_owned())),
                Piece::Namespace => parts.push(Some(names.namespace.to_owned())),
                Piece::Text(text) => parts.push(Some((*text).to_owned())),
                Piece::Base => parts.extend(base.0.iter().cloned()),
                Piece::Key | Piece::Field(_) => parts.push(None),
            }
        }
        Self(parts)
    }

    /// Whether `text` can be this name.
    pub(crate) fn may_be(&self, text: &str) -> bool {
        fn rest(parts: &[Option<String>], text: &str) -> bool {
            let Some((first, others)) = parts.split_first() else { return text.is_empty() };
            if let Some(known) = first {
                return text.strip_prefix(known.as_str()).is_some_and(|text| rest(others, text));
            }
            let mut cuts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            cuts.any(|at| rest(others, &text[at..]))
        }
        rest(&self.0, text)
    }
}

/// Visits every object below with its name as far as it is known.
pub(crate) fn each_name(
    node: &'static Node,
    handed: (&Pattern, bool),
    names: &Names<'_>,
    visit: &mut dyn FnMut(&'static Object, Pattern),
) {
    let (name, renamed) = handed;
    let own = |own: Option<Name>| match own {
        Some(own) if !renamed => Pattern::of(own, names, name),
        _ => name.clone(),
    };
    match node {
        Node::Object(object) => visit(object, own(object.name)),
        Node::Set(set) => {
            let base = own(set.name);
            for slot in set.slots {
                let renamed = slot.name.map(|template| Pattern::of(template, names, &base));
                each_name(slot.node, (renamed.as_ref().unwrap_or(&base), renamed.is_some()), names, visit);
            }
        }
        Node::Many(inner) | Node::Maybe(inner) | Node::Waits(inner) => each_name(inner, handed, names, visit),
        Node::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SET: Handed<'_> = Handed::new(&[Piece::Owner], None, None);
    const BASE: Handed<'_> = Handed::new(&[Piece::Base, Piece::Text("-b")], Some(&SET), None);
    const MEMBER: Handed<'_> = Handed::new(&[Piece::Base, Piece::Text("-x")], Some(&BASE), None);
    const WRITTEN_OUT: Handed<'_> = Handed::new(&[Piece::Owner, Piece::Text("-b-x")], None, None);

    #[test]
    fn names_are_compared_through_everything_that_handed_them_down() {
        const ELSEWHERE: Handed<'_> = Handed { namespace: Some(&[Piece::Text("b")]), ..MEMBER };
        const { assert!(MEMBER.is(&WRITTEN_OUT) && !MEMBER.is(&BASE) && !BASE.is(&SET)) }
        const { assert!(!ELSEWHERE.is(&MEMBER) && ELSEWHERE.nowhere().is(&MEMBER)) }
    }

    #[test]
    fn a_name_that_a_waiting_member_may_have_is_recognised() {
        let names = Names::new("shop", "", "");
        let base = Pattern::of(&[Piece::Base, Piece::Text("-b")], &names, &Pattern::text("shop"));
        let table = Pattern::of(&[Piece::Base, Piece::Text("-"), Piece::Field("t"), Piece::Text("-s")], &names, &base);
        for good in ["shop-b-orders-s", "shop-b--s"] {
            assert!(table.may_be(good), "{good}");
        }
        for bad in ["shop-b-orders", "shop-orders-s", "shop2-b-orders-s"] {
            assert!(!table.may_be(bad), "{bad}");
        }
    }
}
