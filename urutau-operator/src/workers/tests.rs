use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn document(workers: &Value) -> Document {
    let document = json!({
        "pipeline": "shop-mysql",
        "source": { "kind": "mysql", "serverId": "1" },
        "sink": { "namespace": "raw" },
        "tables": [{ "source": "shop.orders", "target": "raw.orders", "primaryKey": ["id"], "workers": workers }],
    });
    Document::parse(&document).unwrap().document
}

fn one(workers: &Value, autoscales: bool) -> TableWorkers {
    of(&document(workers), autoscales).remove(0)
}

#[test]
fn without_autoscaling_every_group_is_a_deployment() {
    let three = ["shop-mysql-raw.orders-0", "shop-mysql-raw.orders-1", "shop-mysql-raw.orders-2"];
    for (workers, names) in [
        (Value::Null, &three[..1]),
        (json!({}), &three[..1]),
        (json!({ "number": 0 }), &three[..1]),
        (json!({ "number": 1 }), &three[..1]),
        (json!({ "number": 3 }), &three[..]),
        (json!({ "number": 3, "max": 3 }), &three[..]),
        (json!({ "number": 3, "max": 10 }), &three[..]),
    ] {
        let table = one(&workers, false);
        assert_eq!(table.names, names, "{workers}");
        assert_eq!(table.deployments(), names, "{workers}");
        assert_eq!((table.ranges() as usize, table.stateful_set()), (names.len(), None), "{workers}");
        assert_eq!(table.template, "worker-pod-template.raw.orders.yaml");
    }
}

#[test]
fn a_table_that_may_grow_is_one_stateful_set_with_ranges_for_all_that_it_may_become() {
    let table = one(&json!({ "number": 3, "max": 10 }), true);
    assert_eq!((table.ranges(), table.deployments()), (10, &[][..]));
    assert_eq!(table.names[9], "shop-mysql-raw.orders-9");
    let set = table.stateful_set().unwrap();
    assert_eq!((set.name.as_str(), set.min, set.max), ("shop-mysql-raw-orders", 3, 10));
    for (index, name) in table.names.iter().enumerate() {
        assert_eq!(set.name_argument().replace("$(POD_INDEX)", &index.to_string()), *name);
    }
    for fixed in [json!({ "number": 3 }), json!({ "number": 3, "max": 3 }), Value::Null] {
        assert_eq!(one(&fixed, true), one(&fixed, false), "{fixed}");
    }
}

#[test]
fn the_mark_of_an_elastic_template() {
    let template = |annotations: Value| {
        serde_json::from_value::<PodTemplateSpec>(json!({ "metadata": { "annotations": annotations } })).unwrap()
    };
    assert!(is_elastic(&template(json!({ ELASTIC: IS_ELASTIC, "a": "b" }))));
    assert!(!is_elastic(&template(json!({ ELASTIC: "false" }))));
    assert!(!is_elastic(&template(Value::Null)) && !is_elastic(&PodTemplateSpec::default()));
}

#[test]
fn blocks_as_the_replicas_grow() {
    let blocks = |replicas| (0..replicas).map(|replica| block(10, replica, replicas)).collect::<Vec<_>>();
    assert_eq!(block(10, 0, 1), 0..10);
    assert_eq!(blocks(3), [0..3, 3..6, 6..10]);
    assert_eq!(blocks(10), (0..10).map(|i| i..i + 1).collect::<Vec<_>>());
    assert_eq!((block(10, 3, 3), block(10, 0, 0)), (0..0, 0..0));
}

proptest! {
    /// Every range has one replica, at any number of replicas.
    #[test]
    fn blocks_tile_the_ranges(ranges in 1..2000_u32, replicas in 1..2000_u32) {
        let mut next = 0;
        for replica in 0..replicas {
            let block = block(ranges, replica, replicas);
            prop_assert_eq!(block.start, next);
            prop_assert!(replicas > ranges || !block.is_empty());
            prop_assert!([0, 1].contains(&(block.end - block.start - ranges / replicas)));
            next = block.end;
        }
        prop_assert_eq!(next, ranges);
    }

    #[test]
    fn blocks_do_not_overflow(ranges: u32, replicas in 1..=u32::MAX) {
        prop_assert_eq!(block(ranges, replicas - 1, replicas).end, ranges);
    }
}
