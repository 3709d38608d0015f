//! The algebra of permissions on one table: the compiler and the running program give the same answers.
#![allow(missing_docs, clippy::unwrap_used)]

use k8s_openapi::api::rbac::v1::PolicyRule;
use urutau_core::name::{Name, Piece};
use urutau_core::rbac::{Only, Rule, Rules, Verbs, covers};

const A: Name = &[Piece::Text("a")];
const B: Name = &[Piece::Text("b")];
const C: Name = &[Piece::Text("c")];

const fn on(group: &'static str, resource: &'static str, sub: &'static str, verbs: &[&str]) -> Rule<'static> {
    Rule::named(group, resource, sub, Verbs::of(verbs), Only::Any, false)
}

const fn named(verbs: &[&str], names: &'static [Name]) -> Rule<'static> {
    Rule::named("", "pods", "", Verbs::of(verbs), Only::Names(names), false)
}

const fn urls(urls: &'static [&'static str]) -> Rule<'static> {
    Rule::urls(urls, Verbs::of(&["get"]), false)
}

/// What is to be covered: the columns of the table.
const WANTED: [Rule<'static>; 11] = [
    on("", "pods", "", &["get"]),
    on("", "pods", "", &["get", "list"]),
    named(&["get"], &[A]),
    named(&["get"], &[A, C]),
    on("", "pods", "log", &["get"]),
    on("", "pods", "", &["*"]),
    on("apps", "deployments", "", &["get"]),
    on("", "*", "", &["get"]),
    on("*", "pods", "", &["get"]),
    urls(&["/metrics"]),
    urls(&["/metrics/*"]),
];

/// What is held, and for each column whether it is covered.
const HELD: [(Rules, &str); 14] = [
    (Rules::Leaf(&[on("", "pods", "", &["get"])]), "y.yy......."),
    (Rules::Leaf(&[on("", "pods", "", &["*"])]), "yyyy.y....."),
    (Rules::Leaf(&[on("", "*", "", &["get", "list"])]), "yyyyy..y..."),
    (Rules::Leaf(&[on("*", "pods", "", &["get"])]), "y.yy....y.."),
    (Rules::Leaf(&[on("*", "*", "", &["*"])]), "yyyyyyyyy.."),
    (Rules::Leaf(&[named(&["get"], &[A])]), "..y........"),
    (Rules::Leaf(&[named(&["get"], &[A, B])]), "..y........"),
    (Rules::Leaf(&[named(&["get"], &[A]), named(&["get"], &[C])]), "..yy......."),
    (Rules::Leaf(&[on("", "pods", "log", &["get"])]), "....y......"),
    (Rules::Leaf(&[on("", "*", "log", &["get"])]), "....y......"),
    (Rules::Leaf(&[urls(&["/metrics"])]), ".........y."),
    (Rules::Leaf(&[urls(&["/m*"])]), ".........yy"),
    (Rules::Leaf(&[on("apps", "deployments", "", &["get"]), on("", "pods", "", &["list"])]), "......y...."),
    (Rules::Leaf(&[on("", "pods", "", &["get"]), on("", "pods", "", &["list"]), urls(&["*"])]), "yyyy.....yy"),
];

const PAIRS: usize = WANTED.len() * HELD.len();

/// The number of the first pair that the compiler answers otherwise than the table.
const fn first_mistake() -> Option<usize> {
    let mut at = 0;
    while at < PAIRS {
        let (rules, answers) = &HELD[at / WANTED.len()];
        let column = at % WANTED.len();
        if rules.cover(&WANTED[column]) != (answers.as_bytes()[column] == b'y') {
            return Some(at);
        }
        at += 1;
    }
    None
}

const AT_COMPILE_TIME: Option<usize> = first_mistake();

#[test]
fn b_03_b_05_the_compiler_answers_as_the_table() {
    const { assert!(PAIRS >= 100) }
    assert_eq!(AT_COMPILE_TIME.map(|at| (at / WANTED.len(), at % WANTED.len())), None);
}

#[test]
fn the_running_program_answers_as_the_table() {
    for (rules, answers) in &HELD {
        let Rules::Leaf(leaf) = rules else { unreachable!() };
        let held: Vec<PolicyRule> = leaf.iter().map(Rule::fixed_policy).collect();
        for (wanted, answer) in WANTED.iter().zip(answers.chars()) {
            let wanted = wanted.fixed_policy();
            assert_eq!(covers(&held, std::slice::from_ref(&wanted)), answer == 'y', "{held:?} {wanted:?}");
        }
    }
}
