//! Every rule of the document broken once, and everything that it may say said once.

mod crd;
mod credentials;
mod sink;
mod source;
mod tables;
mod whole;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Document;

/// One change of a document: where, and what to write there. Null takes it away.
type Change = (&'static str, Value);

/// A document from MySQL to Iceberg with one table.
fn mysql() -> Value {
    json!({
        "pipeline": "shop",
        "source": { "kind": "mysql", "serverId": "1101" },
        "sink": { "namespace": "raw" },
        "tables": [{ "source": "shop.orders", "target": "raw.orders", "primaryKey": ["id"] }],
    })
}

/// A document from Postgres.
fn postgres() -> Value {
    changed(mysql(), &[("source", json!({ "kind": "postgres", "slotName": "urutau" }))])
}

/// A document from Kafka, whose table is appended to.
fn kafka() -> Value {
    changed(
        mysql(),
        &[
            ("source", json!({ "kind": "kafka" })),
            ("tables[0].writeMode", json!("append")),
            ("tables[0].onDelete", json!("skip")),
        ],
    )
}

fn changed(mut document: Value, changes: &[Change]) -> Value {
    for (path, value) in changes {
        let mut place = &mut document;
        for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
            place = match part.parse::<usize>() {
                Ok(index) => {
                    let list = place.as_array_mut().unwrap();
                    if index == list.len() {
                        list.push(Value::Null);
                    }
                    &mut list[index]
                }
                Err(_) => &mut place[part],
            };
        }
        *place = value.clone();
    }
    document
}

/// The problems of a document, as a user reads them.
fn problems(document: &Value) -> Vec<String> {
    match Document::parse(document) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// Checks that each change breaks exactly the rule that it is to break, and is accepted where it is to break none.
#[track_caller]
fn check(base: fn() -> Value, cases: &[(&[Change], &[&str])]) {
    for (changes, expected) in cases {
        assert_eq!(problems(&changed(base(), changes)), *expected, "{changes:?}");
    }
}

#[test]
fn the_examples_have_no_problem() {
    for base in [mysql, postgres, kafka] {
        assert_eq!(problems(&base()), [""; 0]);
    }
}

/// Any JSON, made of the words that documents are made of.
fn documents() -> impl Strategy<Value = Value> {
    let words = "pipeline source sink tables kind uri serverId mysql kafka postgres target primaryKey partitionBy filter all \
                 any not where col op value writeMode append upsert workers number max metadata from as enrich table \
                 bootstrap mode startAt position explicit columnFilter chunkColumn cast namespace type couchbase 5m 1Mi \
                 day(x) id maintenance compaction interval";
    let words: Vec<&str> = words.split_whitespace().collect();
    let word = prop::sample::select(words);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2i64..70).prop_map(Value::from),
        word.clone().prop_map(Value::from),
        Just(json!("")),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(word.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_makes_it_panic_and_every_problem_says_what_to_do(
        document in documents(),
        place in prop::sample::select(vec!["", "source", "sink", "tables", "tables[0]", "tables[0].filter", "source.postgres"]),
    ) {
        let document = match place {
            "" => document,
            place => {
                let mut changes = vec![];
                if place.starts_with("source.") {
                    changes.push(("source.kind", json!("postgres")));
                }
                changes.push((place, document));
                changed(mysql(), &changes)
            }
        };
        if let Err(problems) = Document::parse(&document) {
            prop_assert!(!problems.is_empty());
            for problem in &problems {
                prop_assert!(!problem.message.is_empty() && !problem.fix.is_empty(), "{problem}");
                prop_assert!(!problem.path.contains(".."), "{problem}");
            }
            prop_assert!(problems.iter().all(|problem| !problem.message.contains("at line")), "serde was not told all");
        }
    }
}
