use serde_json::{Value, json};

use super::{changed, check, kafka, mysql, postgres, problems};
use crate::definition::Document;
use crate::text::ServerId;

#[test]
fn rules_that_span_the_document() {
    check(
        mysql,
        &[
            (&[("pipeline", json!(""))], &["pipeline: required; add pipeline, a string"]),
            (
                &[("pipeline", json!("Shop_1"))],
                &[
                    r#"pipeline: "Shop_1" is not a DNS label; use at most 63 lower case letters, digits and dashes, a letter or digit at both ends"#,
                ],
            ),
            (&[("tables", json!([]))], &["tables: at least one is required; list a table with its source and target"]),
            (
                &[("tables", json!(null))],
                &["tables: at least one is required; list a table with its source and target"],
            ),
            (&[("tables", json!({}))], &["tables: expected a list, got an object; write a list"]),
            (&[("tabels", json!([])), ("tables", json!(null))], &[r#"tabels: unknown field; did you mean "tables"?"#]),
        ],
    );
    let discover = || ("source.postgres", json!({ "discover": true }));
    check(
        postgres,
        &[
            (&[discover(), ("tables", json!([]))], &[]),
            (
                &[discover()],
                &[
                    "tables: not together with source.postgres.discover, which finds the tables by itself; remove the list, or turn discover off",
                ],
            ),
        ],
    );
    check(
        kafka,
        &[
            (
                &[("tables[0].writeMode", json!("upsert")), ("tables[0].onDelete", json!(null))],
                &[
                    "source.partitionedByPrimaryKey: required, since tables[0] is written by upsert and Kafka keeps order only within a partition; \
                     set it to true if the topics are partitioned by the primary key, else write the tables with writeMode: append",
                ],
            ),
            (
                &[
                    ("tables[0].writeMode", json!(null)),
                    ("tables[0].onDelete", json!(null)),
                    ("source.partitionedByPrimaryKey", json!(true)),
                ],
                &[],
            ),
            (
                &[
                    ("source.format", json!("raw")),
                    ("source.partitionedByPrimaryKey", json!(true)),
                    ("tables[0].writeMode", json!("upsert")),
                    ("tables[0].onDelete", json!(null)),
                ],
                &[
                    "tables[0].writeMode: messages of source.format raw are not rows, and can't be upserted; write writeMode: append",
                ],
            ),
        ],
    );
}

#[test]
fn a_document_that_is_none() {
    let how = "write fields, indented, of these: pipeline, sink, source, tables";
    for (value, what) in [(json!(null), "nothing"), (json!([]), "a list"), (json!("x"), r#"the string "x""#)] {
        assert_eq!(problems(&value), [format!("expected an object, got {what}; {how}")]);
    }
    assert_eq!(
        problems(&json!({})),
        [
            "pipeline: required; add pipeline, a string",
            "sink: required; add sink, an object",
            "source: required; add source, an object",
        ]
    );
}

/// What depends on a value that has to be corrected first is not reported.
#[test]
fn one_mistake_is_one_problem() {
    let many: &[super::Change] = &[
        ("source.kind", json!("kafak")),
        ("tables[0].writeMode", json!("upset")),
        ("tables[0].primaryKey", json!(null)),
        ("tables[0].chunkColumn", json!("x")),
        ("sink.type", json!(5)),
        ("tables[0].workers", json!({ "number": 2 })),
    ];
    let found = problems(&changed(mysql(), many));
    let paths: Vec<&str> = found.iter().filter_map(|problem| problem.split(": ").next()).collect();
    assert_eq!(paths, ["sink.type", "source.kind", "tables[0].writeMode"]);
}

#[test]
fn many_mistakes_at_once_read_well() {
    let document: Value = serde_saphyr::from_str(
        "
        pipelin: shop
        source:
          kind: mysql
          serverID: 1101
          postgres: { host: db, maxThreads: 64 }
        sink:
          type: couchbase
          namespace: shop
          evolveSchema: true
        tables:
          - source: shop.orders
            target: orders
            primaryKey: id
            workers: { number: 3, max: 2, cpu: 2 }
            partitionBy: [day(created_at), week(created_at)]
          - source: shop.orders
            target: customers
            writeMode: append
            filter: { where: { col: region, op: equals, value: eu } }
        ",
    )
    .unwrap();
    insta::assert_snapshot!(problems(&document).join("\n"));
}

#[test]
fn what_looks_like_a_mistake_is_a_warning() {
    let warnings = |document: Value| -> Vec<String> {
        Document::parse(&document).unwrap().warnings.iter().map(ToString::to_string).collect()
    };
    assert_eq!(warnings(mysql()), [""; 0]);
    assert_eq!(
        warnings(changed(postgres(), &[("source.postgres", json!({ "schemas": ["shop"] }))])),
        ["source.postgres.schemas: has no effect without discover; set discover: true, or remove it"]
    );
    let discover = json!({ "schemas": ["shop"], "discover": true });
    assert_eq!(warnings(changed(postgres(), &[("source.postgres", discover), ("tables", json!([]))])), [""; 0]);
    assert_eq!(
        warnings(changed(mysql(), &[("sink.type", json!("icberg"))])),
        [r#"sink.type: "icberg" is not a type that is known here; did you mean "iceberg"?"#]
    );
    assert_eq!(
        warnings(changed(mysql(), &[("sink.type", json!("kudu"))])),
        [
            r#"sink.type: "kudu" is not a type that is known here; known are iceberg+rest, iceberg, clickhouse, couchbase and iceberg+ with any catalog"#
        ]
    );
}

#[test]
fn server_ids_are_those_of_mysql_only() {
    let id = |document: &Value| Document::parse(document).unwrap().document.server_id().map(ServerId::number);
    assert_eq!(id(&mysql()), Some(1101));
    assert_eq!(id(&changed(mysql(), &[("source.serverId", json!("01101"))])), Some(1101));
    assert_eq!(id(&changed(kafka(), &[("source.serverId", json!("1101"))])), None);
}
