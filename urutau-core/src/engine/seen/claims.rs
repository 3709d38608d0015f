//! `fieldsV1` as it is carried along while an object is looked at: one text, which becomes a tree only when somebody
//! has to be told what it says.

use std::collections::BTreeMap;

/// The keys of a tree in their order, each with its depth.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Flat(String);

/// A tree of claims; one without branches is a field that is claimed with all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Claims(pub(in super::super) BTreeMap<String, Claims>);

/// Enough for most, so that it seldom grows.
const ROOM: usize = 512;
const END: char = '\0';

impl Flat {
    pub(super) fn push(&mut self, depth: u8, key: &str) {
        if self.0.is_empty() {
            self.0.reserve(ROOM);
        }
        // Never the end of an entry.
        self.0.push(char::from(depth.saturating_add(1)));
        self.0.push_str(key);
        self.0.push(END);
    }

    /// The keys in their order, each with its depth.
    pub(in super::super) fn keys(&self) -> impl Iterator<Item = (u32, &str)> {
        self.0.split_terminator(END).filter_map(|entry| {
            let mut rest = entry.chars();
            Some((u32::from(rest.next()?).saturating_sub(1), rest.as_str()))
        })
    }

    /// The tree.
    pub(in super::super) fn tree(&self) -> Claims {
        let mut root = Claims::default();
        let mut path: Vec<&str> = Vec::new();
        for (depth, key) in self.keys() {
            path.truncate(usize::try_from(depth).unwrap_or_default());
            path.push(key);
            let mut at = &mut root;
            for key in &path {
                at = at.0.entry((*key).to_owned()).or_default();
            }
        }
        root
    }
}

impl Claims {
    /// Whether all of what is here is claimed.
    pub(in super::super) fn is_leaf(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_comes_back_as_it_was() {
        let mut flat = Flat::default();
        let keys =
            [(0, "f:spec"), (1, "f:a"), (2, "."), (2, "k:{\"name\":\"x\"}"), (1, "f:b"), (0, "f:data"), (1, "f:ö")];
        for (depth, key) in keys {
            flat.push(depth, key);
        }
        let tree = flat.tree();
        assert_eq!(tree.0.keys().collect::<Vec<_>>(), ["f:data", "f:spec"]);
        let spec = &tree.0["f:spec"].0;
        assert!(spec["f:b"].is_leaf() && spec["f:a"].0.len() == 2 && tree.0["f:data"].0["f:ö"].is_leaf());
        assert_eq!(Flat::default().tree(), Claims::default());
    }
}
