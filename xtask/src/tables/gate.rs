//! Code for some versions of Kubernetes only.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A span of versions; an open end is the first or the last that k8s-openapi has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gate {
    from: Option<u32>,
    to: Option<u32>,
}

/// The spans that hold just these versions, of `all` that there are, in order.
pub(super) fn gates(of: &BTreeSet<u32>, all: &[u32]) -> Vec<Gate> {
    let spans = all.chunk_by(|a, b| of.contains(a) == of.contains(b));
    let spans = spans.filter_map(|span| Some((span.first()?, span.last()?)).filter(|(first, _)| of.contains(first)));
    let open = |at: &u32, end: Option<&u32>| (Some(at) != end).then_some(*at);
    spans.map(|(from, to)| Gate { from: open(from, all.first()), to: open(to, all.last()) }).collect()
}

impl Gate {
    /// A call of a macro with these rows, for the versions of this span.
    pub(super) fn around(self, call: &str, rows: &[String]) -> String {
        let from = self.from.map(|minor| format!("k8s_openapi::k8s_if_ge_1_{minor}!"));
        let to = self.to.map(|minor| format!("k8s_openapi::k8s_if_le_1_{minor}!"));
        let calls: Vec<_> = from.into_iter().chain(to).chain([call.to_owned()]).collect();
        let mut text = String::new();
        for (depth, call) in calls.iter().enumerate() {
            let _ = writeln!(text, "{}{call} {{", "    ".repeat(depth));
        }
        for row in rows {
            let _ = writeln!(text, "{}{row}", "    ".repeat(calls.len()));
        }
        for depth in (0..calls.len()).rev() {
            let _ = writeln!(text, "{}}}", "    ".repeat(depth));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Gate, gates};

    fn of(minors: &[u32]) -> Vec<(Option<u32>, Option<u32>)> {
        let all = [33, 34, 35, 36];
        gates(&minors.iter().copied().collect(), &all).into_iter().map(|gate| (gate.from, gate.to)).collect()
    }

    #[test]
    fn what_all_versions_have_needs_no_gate() {
        assert_eq!(of(&[33, 34, 35, 36]), [(None, None)]);
        assert_eq!(Gate { from: None, to: None }.around("x!", &["a;".into()]), "x! {\n    a;\n}\n");
    }

    #[test]
    fn spans_are_open_at_the_ends() {
        assert_eq!(of(&[35, 36]), [(Some(35), None)]);
        assert_eq!(of(&[33]), [(None, Some(33))]);
        assert_eq!(of(&[34, 35]), [(Some(34), Some(35))]);
        assert_eq!(of(&[33, 35]), [(None, Some(33)), (Some(35), Some(35))]);
        assert_eq!(of(&[]), []);
    }
}
