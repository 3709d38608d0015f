use serde_json::json;

use super::{changed, check, kafka, mysql};
use crate::definition::{Document, Transform, WriteMode};

#[test]
fn names_and_keys() {
    check(
        mysql,
        &[
            (&[("tables[0].source", json!(""))], &["tables[0].source: required; add source, a string"]),
            (&[("tables[0].target", json!(null))], &["tables[0].target: required; add target, a string"]),
            (
                &[("tables[0].primaryKey", json!([]))],
                &[
                    "tables[0].primaryKey: required for writeMode upsert; name the columns that tell rows apart, or write writeMode: append",
                ],
            ),
            (
                &[("tables[0].primaryKey", json!(null)), ("tables[0].primary_key", json!(["id"]))],
                &[r#"tables[0].primary_key: unknown field; did you mean "primaryKey"?"#],
            ),
            (&[("tables[0].primaryKey", json!([])), ("tables[0].writeMode", json!("append"))], &[]),
            (
                &[("tables[0].primaryKey", json!(["a.b", "c", "c", ""]))],
                &[
                    r#"tables[0].primaryKey[0]: "a.b" has a dot: a field within a column can't be part of the key; name whole columns"#,
                    r#"tables[0].primaryKey[2]: "c" is there twice; name each only once"#,
                    "tables[0].primaryKey[3]: is empty; name a column, or remove it",
                ],
            ),
            (
                &[("tables[0].primaryKey", json!("id"))],
                &[r#"tables[0].primaryKey: expected a list, got the string "id"; put it in brackets: ["id"]"#],
            ),
            (
                &[("tables[1]", json!({ "source": "shop.orders", "target": "raw.orders", "primaryKey": ["id"] }))],
                &[
                    r#"tables[1].source: "shop.orders" is the source of tables[0] already; name each only once"#,
                    r#"tables[1].target: "raw.orders" is the target of tables[0] already; name each only once"#,
                ],
            ),
            (&[("tables[0].chunkColumn", json!("id"))], &[]),
            (
                &[("tables[0].chunkColumn", json!("at"))],
                &[r#"tables[0].chunkColumn: "at" is not a column of the primary key; name one of id"#],
            ),
        ],
    );
}

#[test]
fn ways_to_write() {
    let filter = || ("tables[0].filter", json!({ "where": { "col": "a", "op": "is_null" } }));
    check(
        mysql,
        &[
            (
                &[("tables[0].writeMode", json!("Append"))],
                &[
                    r#"tables[0].writeMode: "Append" is not known here; did you mean "append"? write "upsert", "append" or "append-idempotent""#,
                ],
            ),
            (&[filter()], &[]),
            (
                &[filter(), ("tables[0].writeMode", json!("append"))],
                &[
                    "tables[0].filterImmutable: required to append with a filter: a row that begins or ceases to match can't be told; \
                     set it to true if the columns of the filter never change, else write writeMode: upsert",
                ],
            ),
            (
                &[
                    filter(),
                    ("sink.defaults", json!({ "writeMode": "append" })),
                    ("tables[0].filterImmutable", json!(true)),
                ],
                &[],
            ),
            (&[("tables[0].onDelete", json!("skip"))], &["tables[0].onDelete: only for writeMode append; remove it"]),
            (&[("tables[0].onDelete", json!("record")), ("tables[0].writeMode", json!("append"))], &[]),
            (
                &[("tables[0].identity", json!(["a"])), ("tables[0].writeMode", json!("append"))],
                &["tables[0].identity: only for writeMode append-idempotent; remove it"],
            ),
            (
                &[("tables[0].identity", json!(["a"])), ("tables[0].writeMode", json!("append-idempotent"))],
                &["tables[0].identity: only for source.kind kafka; remove it"],
            ),
            (
                &[("tables[0].mode", json!("incremental"))],
                &["tables[0].cursor: required for mode incremental; name a column that grows with every change"],
            ),
            (
                &[("tables[0].cursor", json!("at"))],
                &["tables[0].cursor: only for mode incremental; remove it, or write mode: incremental"],
            ),
            (&[("tables[0].cursor", json!("at")), ("tables[0].mode", json!("incremental"))], &[]),
        ],
    );
    check(
        kafka,
        &[
            (
                &[("tables[0].onDelete", json!("record"))],
                &["tables[0].onDelete: kafka does not tell what a deleted row was; write onDelete: skip"],
            ),
            (
                &[("tables[0].onDelete", json!(null))],
                &["tables[0].onDelete: kafka does not tell what a deleted row was; write onDelete: skip"],
            ),
            (
                &[
                    ("tables[0].identity", json!(["a", "a"])),
                    ("tables[0].writeMode", json!("append-idempotent")),
                    ("tables[0].onDelete", json!(null)),
                ],
                &[r#"tables[0].identity[1]: "a" is there twice; name each only once"#],
            ),
        ],
    );
}

#[test]
fn partitions() {
    let how = "write day(column), month, year, hour or identity, bucket(N,column) or truncate(N,column)";
    for text in [
        "day(at)",
        "month(at)",
        "year(at)",
        "hour(at)",
        "identity(region)",
        "bucket(16,id)",
        "truncate( 4 , name )",
        " day(at) ",
    ] {
        check(mysql, &[(&[("tables[0].partitionBy", json!([text]))], &[])]);
    }
    for text in [
        "",
        "at",
        "day",
        "day()",
        "day(at",
        "day(1,at)",
        "bucket(id)",
        "bucket(x,id)",
        "bucket(-1,id)",
        "week(at)",
        "day(a b)",
        "bucket(1,2,id)",
        "bucket(4294967296,id)",
    ] {
        let document = changed(mysql(), &[("tables[0].partitionBy", json!(["day(at)", text]))]);
        let expected = format!("tables[0].partitionBy[1]: {text:?} is not a partition expression; {how}");
        assert_eq!(super::problems(&document), [expected], "{text}");
    }
    check(
        mysql,
        &[(
            &[("tables[0].partitionBy", json!(["bucket(0,id)"]))],
            &[r#"tables[0].partitionBy[0]: "bucket(0,id)" has a size of 0; write a size of 1 or more"#],
        )],
    );
    let document = changed(mysql(), &[("tables[0].partitionBy", json!(["truncate( 4 , name )"]))]);
    let partition = Document::parse(&document).unwrap().document.tables.remove(0).partition_by.remove(0);
    assert_eq!((partition.transform, partition.column.as_str()), (Transform::Truncate(4), "name"));
    assert_eq!(partition.to_string(), "truncate(4,name)");
}

#[test]
fn filters() {
    let one = "write exactly one of all, any, not and where";
    let problems = |filter| super::problems(&changed(mysql(), &[("tables[0].filter", filter)]));
    let cases = [
        (json!({ "all": [{ "any": [{ "not": { "where": { "col": "a", "op": "eq", "value": "" } } }] }] }), vec![]),
        (json!({ "where": { "col": "a", "op": "in", "value": [1, 2] } }), vec![]),
        (json!({ "where": { "col": "a", "op": "eq", "value": false } }), vec![]),
        (json!({}), vec![format!("tables[0].filter: is empty; {one}")]),
        (
            json!({ "all": [{}], "where": { "col": "a", "op": "is_null" } }),
            vec![
                format!("tables[0].filter: has all and where at once; {one}"),
                format!("tables[0].filter.all[0]: is empty; {one}"),
            ],
        ),
        (json!({ "any": [] }), vec!["tables[0].filter.any: is empty; write a condition, or remove it".to_owned()]),
        (
            json!({ "not": { "wher": {} } }),
            vec![r#"tables[0].filter.not.wher: unknown field; did you mean "where"?"#.to_owned()],
        ),
        (
            json!({ "where": {} }),
            vec![
                "tables[0].filter.where.col: required; add col, a string".to_owned(),
                r#"tables[0].filter.where.op: required; add op: "eq", "neq", "lt", "lte", "gt", "gte", "in", "not_in", "is_null" or "is_not_null""#.to_owned(),
            ],
        ),
        (
            json!({ "all": [{ "where": { "col": "a", "op": "eq" } }, { "where": { "col": "a", "op": "lt", "value": [1] } }] }),
            vec![
                "tables[0].filter.all[0].where.value: required for this comparison; write what the column is compared with".to_owned(),
                "tables[0].filter.all[1].where.value: one value is compared at a time; write a single value, or op: in".to_owned(),
            ],
        ),
        (
            json!({ "all": [{ "where": { "col": "a", "op": "not_in", "value": 1 } }, { "where": { "col": "a", "op": "is_null", "value": 1 } }, 5] }),
            vec![
                "tables[0].filter.all[0].where.value: required as a list for in and not_in; write the values in brackets".to_owned(),
                "tables[0].filter.all[1].where.value: not for is_null and is_not_null; remove it".to_owned(),
                "tables[0].filter.all[2]: expected an object, got the number 5; write fields, indented, of these: all, any, not, where".to_owned(),
            ],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(problems(filter.clone()), expected, "{filter}");
    }
}

#[test]
fn workers() {
    let couchbase = || ("sink.type", json!("couchbase"));
    check(
        mysql,
        &[
            (&[("tables[0].workers", json!({ "number": 0 }))], &[]),
            (&[("tables[0].workers", json!({ "number": 3, "max": 3, "cpu": "500m", "memory": "4Gi" }))], &[]),
            (
                &[("tables[0].workers", json!({ "number": -1 }))],
                &["tables[0].workers.number: -1 is out of range; write 0 or more"],
            ),
            (
                &[("tables[0].workers", json!({ "number": 3, "max": 2 }))],
                &["tables[0].workers.max: 2 is less than number, which is 3; raise it to number or more, or remove it"],
            ),
            (
                &[("tables[0].workers", json!({ "max": 0 }))],
                &["tables[0].workers.max: 0 is less than number, which is 1; raise it to number or more, or remove it"],
            ),
            (
                &[("tables[0].workers", json!({ "number": 1001 }))],
                &["tables[0].workers.number: 1001 is too many; write 1000 or less"],
            ),
            (
                &[("tables[0].workers", json!({ "cpu": 2, "memory": "4GB" }))],
                &[
                    r#"tables[0].workers.cpu: expected a string, got the number 2; put it in quotes: "2""#,
                    r#"tables[0].workers.memory: "4GB" is not a quantity; did you mean "4Gi"?"#,
                ],
            ),
            (
                &[("tables[0].workers", json!({ "cpu_overhead": "1" }))],
                &["tables[0].workers.cpu_overhead: unknown field; remove it; known here: cpu, max, memory, number"],
            ),
            (&[couchbase(), ("tables[0].workers", json!({ "number": 1 }))], &[]),
            (
                &[couchbase(), ("tables[0].workers", json!({ "number": 2, "max": 4 }))],
                &[
                    "tables[0].workers.max: raw.orders: 4 workers, but a couchbase sink takes only one writer of a table; remove max, or set sink.commitMode: atomic",
                    "tables[0].workers.number: raw.orders: 2 workers, but a couchbase sink takes only one writer of a table; write number: 1, or set sink.commitMode: atomic",
                ],
            ),
            (&[couchbase(), ("sink.commitMode", json!("atomic")), ("tables[0].workers", json!({ "number": 2 }))], &[]),
            (
                &[("sink.type", json!("kudu")), ("tables[0].workers", json!({ "number": 2 }))],
                &[
                    "tables[0].workers.number: raw.orders: 2 workers, but a kudu sink takes only one writer of a table; write number: 1",
                ],
            ),
        ],
    );
    let count = |workers| {
        let document = changed(mysql(), &[("tables[0].workers", workers)]);
        let table = Document::parse(&document).unwrap().document.tables.remove(0);
        (table.worker_count(), table.elastic_max())
    };
    assert_eq!(count(json!(null)), (1, None));
    assert_eq!(count(json!({ "number": 0, "max": 1 })), (1, None));
    assert_eq!(count(json!({ "number": 2, "max": 2 })), (2, None));
    assert_eq!(count(json!({ "max": 5 })), (1, Some(5)));
}

#[test]
fn columns() {
    let metadata = |metadata| ("tables[0].metadata", metadata);
    check(
        mysql,
        &[
            (&[metadata(json!([{ "from": "op", "as": "_op" }, { "from": "position", "as": "_pos" }]))], &[]),
            (
                &[metadata(
                    json!([{ "from": "op", "as": "1op" }, { "as": "id" }, { "from": "op", "as": "x" }, { "from": "op", "as": "x" }]),
                )],
                &[
                    r#"tables[0].metadata[0].as: "1op" is not a column name; begin with a letter or _, and use only letters, digits and _"#,
                    r#"tables[0].metadata[1].as: "id" is a column of the primary key; give it another name"#,
                    "tables[0].metadata[1].from: required; add from, a string",
                    r#"tables[0].metadata[3].as: "x" is there twice; give it another name"#,
                ],
            ),
            (
                &[
                    ("tables[0].cast", json!({ "total": "decimal(20,4)" })),
                    ("tables[0].columns", json!({ "id": "int" })),
                ],
                &[],
            ),
            (
                &[("tables[0].cast", json!({ "": "string", "a.b": "" })), ("tables[0].columns", json!({ "id": 1 }))],
                &[
                    r#"tables[0].cast[""]: has no column name; name the column"#,
                    r#"tables[0].cast["a.b"]: has no type; name a type, such as string"#,
                    r#"tables[0].columns.id: expected a string, got the number 1; put it in quotes: "1""#,
                ],
            ),
            (&[("tables[0].columnFilter", json!(["id", "total"]))], &[]),
            (
                &[("tables[0].columnFilter", json!([]))],
                &["tables[0].columnFilter: is empty, so that nothing is left; name columns, or remove it"],
            ),
            (
                &[("tables[0].columnFilter", json!(["total", "total", ""]))],
                &[
                    "tables[0].columnFilter: does not cover the primary key: id is missing; add it",
                    r#"tables[0].columnFilter[1]: "total" is there twice; name each only once"#,
                    "tables[0].columnFilter[2]: is empty; name a column, or remove it",
                ],
            ),
        ],
    );
}

#[test]
fn beginnings() {
    check(
        mysql,
        &[
            (&[("tables[0].bootstrap", json!({ "mode": "adopt", "startAt": "explicit", "position": "x" }))], &[]),
            (&[("tables[0].bootstrap", json!({}))], &[]),
            (
                &[("tables[0].bootstrap", json!({ "mode": "adopt_verify" }))],
                &[
                    r#"tables[0].bootstrap.mode: "adopt_verify" is not known here; did you mean "adopt-verify"? write "snapshot", "adopt" or "adopt-verify""#,
                ],
            ),
            (
                &[("tables[0].bootstrap", json!({ "startAt": "explicit" }))],
                &["tables[0].bootstrap.position: required for startAt explicit; write the position at which to begin"],
            ),
            (
                &[("tables[0].bootstrap", json!({ "startAt": "current", "position": "x" }))],
                &["tables[0].bootstrap.position: only for startAt explicit; remove it, or write startAt: explicit"],
            ),
            (
                &[("tables[0].bootstrap", json!({ "position": "x" }))],
                &["tables[0].bootstrap.position: only for startAt explicit; remove it, or write startAt: explicit"],
            ),
        ],
    );
}

#[test]
fn looked_up_tables() {
    check(
        mysql,
        &[
            (
                &[(
                    "tables[0].enrich",
                    json!([{
                        "table": "customers", "source": { "uri": "mysql://db", "query": "select 1" }, "on": "a = b",
                        "select": ["name"], "as": "c", "joinType": "left outer", "refresh": "1m", "onColdStart": "buffer",
                        "bufferLimits": { "maxEvents": 10, "maxWait": "5s" }, "maxRows": 100,
                    }]),
                )],
                &[],
            ),
            (
                &[("tables[0].enrich", json!([{ "table": "a" }, { "table": "a" }, {}]))],
                &[
                    r#"tables[0].enrich[1].table: "a" is the table of enrich[0] already; name each only once"#,
                    "tables[0].enrich[2].table: required; add table, a string",
                ],
            ),
            (
                &[(
                    "tables[0].enrich",
                    json!([{
                        "table": "a", "joinType": "left_outer", "refresh": "0m", "onColdStart": "wait",
                        "bufferLimits": { "maxEvents": 0, "maxWait": "1" }, "maxRows": 0,
                    }]),
                )],
                &[
                    "tables[0].enrich[0].bufferLimits.maxEvents: 0 is out of range; write 1 or more",
                    r#"tables[0].enrich[0].bufferLimits.maxWait: "1" is not a duration; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                    r#"tables[0].enrich[0].joinType: "left_outer" is not known here; did you mean "left outer"? write "left", "left outer", "inner", "left semi" or "left anti""#,
                    "tables[0].enrich[0].maxRows: 0 is out of range; write 1 or more",
                    r#"tables[0].enrich[0].onColdStart: "wait" is not known here; write "buffer", "pass" or "drop""#,
                    r#"tables[0].enrich[0].refresh: "0m" is no time at all; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                ],
            ),
        ],
    );
    let document = changed(mysql(), &[("tables[0].enrich", json!([{ "table": "a" }]))]);
    assert_eq!(Document::parse(&document).unwrap().document.tables[0].enrich[0].refresh.to_string(), "5m");
}

#[test]
fn the_write_mode_is_the_tables_then_the_sinks_then_upsert() {
    let mode = |changes: &[super::Change]| {
        let document = Document::parse(&changed(mysql(), changes)).unwrap().document;
        document.write_mode(&document.tables[0])
    };
    let default = || ("sink.defaults", json!({ "writeMode": "append" }));
    assert_eq!(mode(&[]), WriteMode::Upsert);
    assert_eq!(mode(&[default()]), WriteMode::Append);
    assert_eq!(mode(&[default(), ("tables[0].writeMode", json!("append-idempotent"))]), WriteMode::AppendIdempotent);
}
