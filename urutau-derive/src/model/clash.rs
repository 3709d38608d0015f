//! Two writers of one place.

use super::write::Write;
use crate::errors::Errors;
use crate::parse::{FieldPath, Segment};
use proc_macro2::Span;

/// A place that is written, with its path from the root.
struct Leaf {
    steps: Vec<String>,
    shown: String,
    span: Span,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Value,
    Part,
    Present,
}

/// Reports every place that is written twice, and every place below one that is written whole.
pub(super) fn check(writes: &[Write], errors: &mut Errors) {
    let mut leaves = Vec::new();
    for write in writes {
        collect(write, &[], "", &mut leaves);
    }
    for (i, later) in leaves.iter().enumerate() {
        for earlier in &leaves[..i] {
            if let Some(message) = clash(earlier, later) {
                errors.at(later.span, message);
                break;
            }
        }
    }
}

fn clash(earlier: &Leaf, later: &Leaf) -> Option<String> {
    if earlier.what == What::Part && later.what == What::Part {
        return None;
    }
    if earlier.steps == later.steps {
        // A part writes below its path, so a constant at that very path is what would be lost.
        return Some(format!("`{}` is written twice; keep one of them", later.shown));
    }
    let (above, below) = if earlier.steps.len() < later.steps.len() { (earlier, later) } else { (later, earlier) };
    if above.what != What::Value || !below.steps.starts_with(&above.steps) {
        return None;
    }
    // A map may be extended by an entry; whether it is a map only the type says.
    if let [entry] = &below.steps[above.steps.len()..]
        && entry.starts_with('[')
    {
        return None;
    }
    Some(format!("`{}` is written whole, and `{}` below it; write the one or the parts", above.shown, below.shown))
}

fn collect(write: &Write, above: &[String], shown: &str, leaves: &mut Vec<Leaf>) {
    let leaf = |path: &FieldPath, span: Span, what: What| {
        let (steps, shown) = join(above, shown, path);
        Leaf { steps, shown, span, what }
    };
    match write {
        Write::Value(path, _) | Write::Field(path, ..) => leaves.push(leaf(path, path.span(), What::Value)),
        Write::Part(path, ..) => leaves.push(leaf(path, path.span(), What::Part)),
        Write::Block(path, inner) if inner.is_empty() => leaves.push(leaf(path, path.span(), What::Present)),
        Write::Block(path, inner) => {
            let (steps, shown) = join(above, shown, path);
            for write in inner {
                collect(write, &steps, &shown, leaves);
            }
        }
        Write::Unfinished(_) => {}
    }
}

fn join(above: &[String], shown: &str, path: &FieldPath) -> (Vec<String>, String) {
    let steps = above.iter().cloned().chain(path.segments.iter().map(Segment::text)).collect();
    let dot = if shown.is_empty() { "" } else { "." };
    (steps, format!("{shown}{dot}{}", path.text()))
}
