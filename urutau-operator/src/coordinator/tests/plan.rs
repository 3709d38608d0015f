use super::*;

fn plan(config: &Config, table: Option<KeptTable>, bounds: &Bounds) -> Plan {
    let tables = [("raw.gone", Some(kept_table("id", 2))), ("raw.orders", table)];
    let kept = Kept::of(Path::new("state"), tables.into_iter().filter_map(|(target, table)| Some((target, table?))));
    let assigned = assign(config, &kept, bounds).unwrap();
    Plan::new(config, &kept, &assigned)
}

#[test]
fn an_elastic_table_is_planned_with_all_that_it_may_become() {
    let config = config_of(orders(json!({ "number": 1, "max": 2 })), &[("raw.orders", elastic())]);
    let plan = plan(&config, Some(kept_table("id", 2)), &Bounds::default());
    assert_eq!(
        serde_json::to_value(&plan).unwrap(),
        json!({
            "pipeline": "shop",
            "tables": [{
                "source": "shop.orders",
                "target": "raw.orders",
                "template": "worker-pod-template.raw.orders.yaml",
                "elastic": { "name": "shop-raw-orders", "min": 1, "max": 2 },
                "column": "id",
                "type": "integer",
                "ranges": "kept",
                "workers": [
                    { "name": "shop-raw.orders-0", "before": "451" },
                    { "name": "shop-raw.orders-1", "from": "451" },
                ],
            }],
        })
    );
    assert_eq!(
        plan.notes,
        [
            "raw.orders: has 1 to 2 workers; replica r of R serves the ranges r*2/R up to (r+1)*2/R",
            "raw.gone: no table has this target, and its key ranges stay kept for when one does; to be rid of them run: \
             urutau-coordinator forget raw.gone",
        ]
    );
}

#[test]
fn what_is_not_known_is_said() {
    let several = config_of(orders(json!({ "number": 3 })), &[]);
    let notes = plan(&several, None, &Bounds::default()).notes;
    assert!(notes[0].starts_with("there are no templates, "), "{notes:#?}");
    assert!(
        notes[1].starts_with("raw.orders: no key ranges are known for its 3 workers; say with --bounds "),
        "{notes:#?}"
    );
    let computed = plan(&several, None, &bounds(integers(1, 900))).notes;
    assert_eq!(computed[1], "raw.orders: its key ranges are not kept yet");
    let mut keyless = orders(json!({ "number": 3 }));
    keyless["writeMode"] = json!("append");
    keyless.as_object_mut().unwrap().remove("primaryKey");
    let notes = plan(&config_of(keyless, &[]), None, &Bounds::default()).notes;
    assert!(notes[1].starts_with("raw.orders: has no primaryKey, "), "{notes:#?}");
}
