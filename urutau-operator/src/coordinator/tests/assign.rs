use super::*;

/// What is kept of `raw.orders`, in a file that no test writes.
fn kept(table: Option<KeptTable>) -> Kept {
    Kept::of(Path::new("state"), table.map(|table| ("raw.orders", table)))
}

fn one(config: &Config, table: Option<KeptTable>, bounds: &Bounds) -> Result<Option<Assigned>, Vec<String>> {
    match assign(config, &kept(table), bounds) {
        Ok(mut assigned) => Ok(assigned.remove(0)),
        Err(problems) => Err(problems.iter().map(ToString::to_string).collect()),
    }
}

const ANEW: &str = ", or, to take a new snapshot of the table, run: urutau-coordinator forget raw.orders";

#[test]
fn ranges_are_computed_once_and_what_is_kept_wins() {
    let config = config_of(orders(json!({ "number": 3 })), &[]);
    let computed = one(&config, None, &bounds(integers(1, 900))).unwrap().unwrap();
    assert_eq!((computed.origin, computed.column.as_str()), (Origin::Computed, "id"));
    assert_eq!(computed.ranges, kept_table("id", 3).ranges);
    for later in [Bounds::default(), bounds(integers(1, 1_000_000)), bounds(integers(5, 5))] {
        let again = one(&config, Some(kept_table("id", 3)), &later).unwrap().unwrap();
        assert_eq!((again.origin, &again.ranges), (Origin::Kept, &computed.ranges));
    }
}

#[test]
fn one_worker_needs_no_ranges_and_unknown_keys_have_none() {
    let single = config_of(orders(json!(null)), &[]);
    assert_eq!(one(&single, None, &bounds(integers(7, 7))), Ok(None));
    let several = config_of(orders(json!({ "number": 3 })), &[]);
    assert_eq!(one(&several, None, &Bounds::default()), Ok(None));
    let mut keyless = orders(json!({ "number": 3 }));
    keyless["writeMode"] = json!("append");
    keyless.as_object_mut().unwrap().remove("primaryKey");
    assert_eq!(one(&config_of(keyless, &[]), None, &bounds(integers(1, 900))), Ok(None));
}

/// A table grows by itself up to `max` with the same ranges, so that only `max` may not change.
#[test]
fn an_elastic_table_has_ranges_for_all_that_it_may_become() {
    let config = |number: u32, max: u32| {
        config_of(orders(json!({ "number": number, "max": max })), &[("raw.orders", elastic())])
    };
    let assigned = one(&config(2, 5), None, &bounds(integers(1, 900))).unwrap().unwrap();
    assert_eq!(assigned.ranges.number(), 5);
    let kept = kept_table("id", 5);
    assert!(one(&config(4, 5), Some(kept.clone()), &Bounds::default()).is_ok(), "number is the autoscaler's");
    assert_eq!(
        one(&config(2, 6), Some(kept.clone()), &Bounds::default()).unwrap_err(),
        [format!(
            "tables[0].workers.max: raw.orders: 6 workers, but its keys were split into 5 ranges, which are kept in \
             state/key-ranges.json; set max back to 5{ANEW}"
        )]
    );
    let no_longer = config_of(orders(json!({ "number": 2, "max": 5 })), &[]);
    assert_eq!(
        one(&no_longer, Some(kept), &Bounds::default()).unwrap_err(),
        [format!(
            "tables[0].workers.number: raw.orders: 2 workers, but its keys were split into 5 ranges, which are kept in \
             state/key-ranges.json; set number to 5, or turn autoscaling on again{ANEW}"
        )]
    );
}

#[test]
fn what_no_longer_fits_its_ranges_is_refused_with_both_numbers_and_the_way_out() {
    let mut chunked = orders(json!({ "number": 3 }));
    chunked["chunkColumn"] = json!("line");
    let cases = [
        (
            orders(json!({ "number": 4 })),
            Bounds::default(),
            "tables[0].workers.number: raw.orders: 4 workers, but its keys were split into 3 ranges, which are kept in \
             state/key-ranges.json; set number back to 3",
        ),
        (
            orders(json!(null)),
            Bounds::default(),
            "tables[0].workers.number: raw.orders: 1 worker, but its keys were split into 3 ranges, which are kept in \
             state/key-ranges.json; set number back to 3",
        ),
        (
            chunked,
            Bounds::default(),
            "tables[0].chunkColumn: raw.orders: split by line now, but its keys were split by id into ranges, which are \
             kept in state/key-ranges.json; set it back to id",
        ),
        (
            orders(json!({ "number": 3 })),
            bounds(SampledKeys::new(Key::Uuid(1), Key::Uuid(9), vec![], None).unwrap()),
            "tables[0].primaryKey: raw.orders: id is of type uuid now, but its keys were split into ranges of type \
             integer, which are kept in state/key-ranges.json; set the type of the column back to integer",
        ),
    ];
    for (table, bounds, expected) in cases {
        let found = one(&config_of(table, &[]), Some(kept_table("id", 3)), &bounds).unwrap_err();
        assert_eq!(found, [format!("{expected}{ANEW}")]);
    }
}

#[test]
fn the_problems_of_all_tables_are_told_at_once() {
    let folder = folder();
    let other =
        json!({ "source": "shop.items", "target": "raw.items", "primaryKey": ["id"], "workers": { "number": 9 } });
    write(folder.path(), &document(json!([orders(json!({ "number": 4 })), other])), &[]);
    let config = Config::read(folder.path()).unwrap();
    let bounds = Bounds([("raw.items".to_owned(), integers(1, 3))].into());
    let found = assign(&config, &kept(Some(kept_table("id", 3))), &bounds).unwrap_err();
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(found[0].starts_with("tables[0].workers.number: raw.orders: 4 workers, but "), "{found:#?}");
    assert_eq!(
        found[1],
        "tables[1].workers.number: raw.items: 9 workers, but there can be only 3 keys from 1 to 3; write 3 or less, or \
         correct min, max and scale"
    );
    assert_eq!(found.len(), 2);
}

#[test]
fn bounds_are_of_tables_that_there_are() {
    let config = config_of(orders(json!({ "number": 3 })), &[]);
    let read = |value: Value| Bounds::parse(&value, &config);
    let told = |value: Value| read(value).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        read(json!({ "raw.orders": { "type": "integer", "min": 1, "max": 900 } })),
        Ok(bounds(integers(1, 900)))
    );
    assert_eq!(read(json!({})), Ok(Bounds::default()));
    assert_eq!(
        told(json!({ "raw.ordres": { "type": "integer", "min": 1, "max": 900 } })),
        ["[\"raw.ordres\"]: no table of the document has this target; did you mean \"raw.orders\"?"]
    );
    assert_eq!(
        told(json!({ "raw.orders": { "type": "integer", "min": 9, "max": 1.5 } })),
        ["[\"raw.orders\"].max: 1.5 is not a key of type integer; write a whole number from -9223372036854775808 to \
          18446744073709551615"]
    );
    assert_eq!(told(json!([])).len(), 1);
}

#[test]
fn what_was_computed_is_kept_before_anybody_learns_of_it() {
    let config = config_of(orders(json!({ "number": 3 })), &[]);
    let folder = folder();
    let mut kept = Kept::read(folder.path()).unwrap();
    let assigned = keep(&mut kept, &config, &bounds(integers(1, 900))).unwrap();
    assert_eq!(assigned[0].as_ref().unwrap().origin, Origin::Kept);
    let again = Kept::read(folder.path()).unwrap();
    assert_eq!((again.get("raw.orders"), &again), (Some(&kept_table("id", 3)), &kept));

    std::fs::remove_file(kept.file()).unwrap();
    keep(&mut kept, &config, &bounds(integers(1, 900))).unwrap();
    assert!(!kept.file().exists(), "nothing is written while nothing changes");

    let mut nowhere = Kept::read(&folder.path().join("nowhere")).unwrap();
    assert!(keep(&mut nowhere, &config, &bounds(integers(1, 900))).is_err());
    assert_eq!(nowhere.get("raw.orders"), None);
}

/// All of them have read that nothing is kept before the first one keeps anything.
#[test]
fn of_several_at_once_all_get_the_ranges_that_are_kept() {
    let config = config_of(orders(json!({ "number": 3 })), &[]);
    let folder = folder();
    let callers: Vec<Kept> = (0..8).map(|_| Kept::read(folder.path()).unwrap()).collect();
    let got: Vec<Vec<Option<Assigned>>> = std::thread::scope(|scope| {
        let kept = |(most, mut kept): (i128, Kept)| {
            let config = &config;
            scope.spawn(move || keep(&mut kept, config, &bounds(integers(1, most * 1000))).unwrap())
        };
        let threads: Vec<_> = (1..).zip(callers).map(kept).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let kept = Kept::read(folder.path()).unwrap();
    let ranges = &kept.get("raw.orders").unwrap().ranges;
    assert!(got.iter().all(|got| got[0].as_ref().unwrap().ranges == *ranges), "{got:#?}");
}

/// What somebody else kept in between is what counts, and it may not fit.
#[test]
fn ranges_that_were_kept_in_between_and_do_not_fit_are_refused() {
    let config = config_of(orders(json!({ "number": 3 })), &[]);
    let folder = folder();
    let (mut one, mut other) = (Kept::read(folder.path()).unwrap(), Kept::read(folder.path()).unwrap());
    let mut change = other.change().unwrap();
    change.keep("raw.orders", kept_table("id", 4));
    change.write().unwrap();
    let error = keep(&mut one, &config, &bounds(integers(1, 900))).unwrap_err().to_string();
    assert!(
        error.contains("\n  tables[0].workers.number: raw.orders: 3 workers, but its keys were split into 4 "),
        "{error}"
    );
    assert_eq!(Kept::read(folder.path()).unwrap(), other);
}
