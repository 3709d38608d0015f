//! Verbs as a bit set.

/// The verbs that the API server knows, in the order in which they are shown. `*` is a verb of its own: it
/// gives every other one, and only it gives `*`.
const NAMES: [&str; 16] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
    "use",
    "bind",
    "escalate",
    "impersonate",
    "approve",
    "sign",
    "attest",
    "*",
];

const STAR: u64 = 1 << 15;

/// A set of verbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verbs(u64);

impl Verbs {
    /// Every verb that the API server knows of itself, and `*`.
    pub const ALL: Self = Self::of(&NAMES);

    /// No verb.
    pub const NONE: Self = Self(0);

    /// The verbs of these names; a name that is not a verb is left out (the derives refuse it).
    pub const fn of(names: &[&str]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < names.len() {
            let mut v = 0;
            while v < NAMES.len() {
                if crate::name::same_text(names[i], NAMES[v]) {
                    bits |= 1 << v;
                }
                v += 1;
            }
            i += 1;
        }
        Self(bits)
    }

    /// The verbs of these texts. One that the API server does not know of itself is a bit of its own, by its place in
    /// `custom`; one that stands in neither is left out.
    pub(super) fn read(texts: &[String], custom: &[&str]) -> Self {
        let bit = |text: &String| {
            let known = NAMES.iter().position(|name| name == text);
            known.or_else(|| custom.iter().position(|name| name == text).map(|at| NAMES.len() + at))
        };
        Self(texts.iter().filter_map(bit).fold(0, |bits, bit| bits | 1 << bit))
    }

    /// The names of the verbs, those of `custom` with them.
    pub(super) fn texts(self, custom: &[&str]) -> Vec<String> {
        let custom = custom.iter().enumerate().filter(|(at, _)| self.0 & (1 << (NAMES.len() + at)) != 0);
        self.names().into_iter().chain(custom.map(|(_, name)| *name)).map(str::to_owned).collect()
    }

    /// How many verbs can have a bit of their own.
    pub(super) const CUSTOM: usize = 64 - NAMES.len();

    /// Whether the API server knows a verb of this name.
    pub(super) fn knows(text: &str) -> bool {
        NAMES.contains(&text)
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The verbs of both.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        if self.0 & STAR != 0 {
            return other;
        }
        if other.0 & STAR != 0 {
            return self;
        }
        Self(self.0 & other.0)
    }

    /// What is left of this set when `held` is held.
    #[must_use]
    pub const fn without(self, held: Self) -> Self {
        if held.0 & STAR != 0 { Self::NONE } else { Self(self.0 & !held.0) }
    }

    /// Whether there is no verb in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The name of the `i`-th known verb if the set has it.
    pub(crate) const fn nth(self, i: usize) -> Option<&'static str> {
        if self.0 & (1 << i) == 0 { None } else { Some(NAMES[i]) }
    }

    /// How many verbs are known.
    pub(crate) const KNOWN: usize = NAMES.len();

    /// The names, in the order get, list, watch, create, update, patch, delete and so on.
    pub fn names(self) -> Vec<&'static str> {
        (0..Self::KNOWN).filter_map(|i| self.nth(i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_holds_every_verb_and_only_a_star_holds_a_star() {
        const GET: Verbs = Verbs::of(&["get", "patch"]);
        const ALL: Verbs = Verbs::of(&["*"]);
        const { assert!(GET.without(ALL).is_empty() && !ALL.without(GET).is_empty()) }
        assert_eq!(GET.without(Verbs::of(&["patch"])).names(), ["get"]);
        assert_eq!(ALL.common(GET), GET);
        assert_eq!(GET.and(ALL).names(), ["get", "patch", "*"]);
    }
}
