use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::valid::{is_label, is_of_key, is_subdomain};
use super::{
    LONGEST_GROUP, LONGEST_STATEFUL_SET, MOST_WORKERS, Names, coordinator_pod, elastic_set, is_template_key,
    owner_of_coordinator_pod, template_key, worker_group, worker_groups, worker_stem,
};
use crate::definition::Document;

#[test]
fn groups_are_named_as_the_specification_says() {
    let names: Vec<String> = worker_groups("shop-mysql", "raw.orders", 3).collect();
    assert_eq!(names, ["shop-mysql-raw.orders-0", "shop-mysql-raw.orders-1", "shop-mysql-raw.orders-2"]);
    assert_eq!(worker_stem("shop-mysql", "raw.orders"), "shop-mysql-raw.orders");
    assert_eq!(elastic_set("shop-mysql", "raw.orders"), "shop-mysql-raw-orders");
    assert_eq!(template_key("raw.orders"), "worker-pod-template.raw.orders.yaml");
}

#[test]
fn a_coordinators_pod_says_whose_it_is() {
    for owner in ["shop", "shop-coordinator-0"] {
        assert_eq!(owner_of_coordinator_pod(&coordinator_pod(owner)), Some(owner));
    }
    assert_eq!(owner_of_coordinator_pod("shop-coordinator-1"), None);
    assert_eq!(owner_of_coordinator_pod("-coordinator-0"), None);
}

/// Names must never change: what is written here is what runs.
#[test]
fn names_that_had_to_be_changed_are_pinned() {
    let long = "x".repeat(80);
    let cases = [
        ("raw.Orders", worker_group("shop", "raw.Orders", 0)),
        ("raw.order_items", worker_group("shop", "raw.order_items", 12)),
        ("raw..orders", worker_group("shop", "raw..orders", 0)),
        ("raw.", worker_group("shop", "raw.", 0)),
        ("", worker_group("shop", "", 0)),
        ("größe", worker_group("shop", "größe", 0)),
        ("long", worker_group("shop", &long, 999)),
        ("long, index", worker_group("shop", &long, 1000)),
        ("set", elastic_set("shop", "raw.Orders")),
        ("long set", elastic_set("shop", &long)),
        ("key", template_key("größe/1")),
    ];
    let shown: Vec<String> = cases.iter().map(|(what, name)| format!("{what}: {name}")).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn a_name_that_fits_is_not_changed() {
    // 58 characters, a dash and up to three digits.
    let target = "a".repeat(54);
    assert_eq!(worker_group("p-p", &target, 9), format!("p-p-{target}-9"));
    assert_eq!(worker_group("p-p", &target, 999).len(), 62);
    let longer = "a".repeat(55);
    assert_eq!(worker_group("p-p", &longer, 999).len(), 63);
    assert_ne!(worker_group("p-p", &format!("{longer}a"), 0), format!("p-p-{longer}a-0"));
}

#[test]
fn only_our_keys_are_ours() {
    assert!(is_template_key("worker-pod-template.raw.orders.yaml"));
    for key in ["pipeline.yaml", "worker-pod-template.yaml", "worker-pod-template..yaml", "worker-pod-template.a"] {
        assert!(!is_template_key(key), "{key}");
    }
}

fn document(pipeline: &str, tables: &[(&str, Value)]) -> Document {
    let tables: Vec<Value> = tables
        .iter()
        .enumerate()
        .map(|(index, (target, workers))| {
            json!({ "source": format!("s{index}"), "target": target, "primaryKey": ["id"], "workers": workers })
        })
        .collect();
    let document = json!({
        "pipeline": pipeline,
        "source": { "kind": "mysql", "serverId": "1" },
        "sink": { "namespace": "raw" },
        "tables": tables,
    });
    Document::parse(&document).unwrap().document
}

fn one() -> Value {
    json!({})
}

#[test]
fn names_that_meet_within_a_pipeline_are_found() {
    let may_grow = || json!({ "number": 1, "max": 3 });
    let dots = document("p", &[("a.b", may_grow()), ("a-b", may_grow())]);
    assert_eq!(Names::of("p", &dots, false).1, []);
    let problems = Names::of("p", &dots, true).1;
    assert_eq!(
        problems[0].to_string(),
        "tables[1].target: the StatefulSet would be called p-a-b, as the StatefulSet of tables[0] is; \
         change the target of a table, or the pipeline name that the document gives itself"
    );
    assert_eq!(problems.len(), 1);

    let coordinator = document("p", &[("coordinator", one())]);
    let problems = Names::of("p", &coordinator, false).1;
    assert!(
        problems[0]
            .to_string()
            .starts_with("tables[0].target: a worker would be called p-coordinator-0, as the coordinator's Pod is; ")
    );
    assert_eq!(Names::of("another", &coordinator, false).1, []);
    let problems = Names::of("p", &document("p", &[("coordinator", may_grow())]), true).1;
    assert!(
        problems[0]
            .to_string()
            .starts_with("tables[0].target: the StatefulSet would be called p-coordinator, as the coordinator is; ")
    );
}

#[test]
fn names_that_meet_between_two_pipelines_are_found() {
    let names = |owner: &str, document: &Document| Names::of(owner, document, false).0;
    let one_way = names("one", &document("a", &[("b-c", json!({ "number": 2 })), ("d", one())]));
    let other_way = names("two", &document("a-b", &[("c", json!({ "number": 3 }))]));
    let problems = one_way.meet(&other_way);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].to_string().starts_with(
        "tables[0].target: a worker would be called a-b-c-0, as a worker of tables[0] of CDCPipeline two is; "
    ));
    assert_eq!(other_way.meet(&one_way).len(), 1);
    assert_eq!(one_way.meet(&one_way), []);
    assert_eq!(one_way.meet(&names("two", &document("x", &[("b-c", one())]))), []);
}

#[test]
fn a_coordinator_may_meet_a_worker_of_another_pipeline() {
    let ours = Names::of("p", &document("x", &[("a", one())]), false).0;
    let theirs = Names::of("q", &document("p", &[("coordinator", one())]), false).0;
    assert_eq!(
        ours.meet(&theirs)[0].to_string(),
        "pipeline: the coordinator's Pod would be called p-coordinator-0, as a worker of q is; \
         give the CDCPipeline another name"
    );
}

fn pipelines() -> impl Strategy<Value = String> {
    "[a-z]([-a-z0-9]{0,38}[a-z0-9])?"
}

fn targets() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,80}", "[a-zA-Z_.-]{1,70}", "[a-z]{1,20}\\.[a-z_]{1,60}", any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_name_is_valid(pipeline in pipelines(), target in targets(), index in any::<u32>()) {
        let group = worker_group(&pipeline, &target, index);
        prop_assert!(group.len() <= LONGEST_GROUP && is_subdomain(&group), "{group}");
        prop_assert_eq!(group.rsplit_once('-').map(|(_, end)| end.to_owned()), Some(index.to_string()));
        let set = elastic_set(&pipeline, &target);
        prop_assert!(set.len() <= LONGEST_STATEFUL_SET && is_label(&set), "{set}");
        let key = template_key(&target);
        prop_assert!(key.len() <= 253 && key.bytes().all(is_of_key) && is_template_key(&key), "{key}");
    }

    #[test]
    fn all_workers_of_a_table_share_a_stem(pipeline in pipelines(), target in targets(), index in 0..MOST_WORKERS) {
        let stem = worker_stem(&pipeline, &target);
        prop_assert_eq!(worker_group(&pipeline, &target, index), format!("{stem}-{index}"));
    }

    #[test]
    fn a_hash_is_added_only_where_something_was_changed(pipeline in pipelines(), target in "[a-z0-9]{1,17}") {
        prop_assert_eq!(worker_group(&pipeline, &target, 0), format!("{pipeline}-{target}-0"));
    }

    #[test]
    fn two_targets_have_two_names(pipeline in pipelines(), a in targets(), b in targets()) {
        prop_assume!(a != b);
        prop_assert_ne!(worker_stem(&pipeline, &a), worker_stem(&pipeline, &b));
        prop_assert_ne!(template_key(&a), template_key(&b));
        if a.replace('.', "-") != b.replace('.', "-") {
            prop_assert_ne!(elastic_set(&pipeline, &a), elastic_set(&pipeline, &b));
        }
    }

    #[test]
    fn targets_that_look_alike_have_names_of_their_own(stem in "[a-z]{1,60}", marks in "[A-Z_/ ä]{1,4}") {
        let targets = [
            stem.clone(),
            format!("{stem}{marks}"),
            format!("{marks}{stem}"),
            stem.to_uppercase(),
            format!("{stem}."),
            format!("{stem}-"),
        ];
        let targets: BTreeSet<String> = targets.into_iter().collect();
        let groups: BTreeSet<String> = targets.iter().map(|target| worker_stem("p", target)).collect();
        prop_assert_eq!(groups.len(), targets.len());
        let keys: BTreeSet<String> = targets.iter().map(|target| template_key(target)).collect();
        prop_assert_eq!(keys.len(), targets.len());
    }
}
