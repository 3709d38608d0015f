use serde_json::json;

use super::{changed, check, mysql};
use crate::definition::{Document, SinkKind};

#[test]
fn the_sink() {
    check(
        mysql,
        &[
            (&[("sink", json!(null))], &["sink: required; add sink, an object"]),
            (&[("sink.namespace", json!(""))], &["sink.namespace: required; add namespace, a string"]),
            (
                &[("sink.namespace", json!("lake..raw"))],
                &[
                    r#"sink.namespace: "lake..raw" has an empty part between its dots; name every level, such as raw or lake.raw"#,
                ],
            ),
            (&[("sink.namespace", json!("lake..raw")), ("sink.type", json!("clickhouse"))], &[]),
            (&[("sink.commitMode", json!("fast"))], &["sink.commitMode: only for type couchbase; remove it"]),
            (&[("sink.commitMode", json!("fast")), ("sink.type", json!("couchbase"))], &[]),
            (
                &[("sink.commitMode", json!("slow")), ("sink.type", json!("couchbase"))],
                &[r#"sink.commitMode: "slow" is not known here; write "fast" or "atomic""#],
            ),
            (&[("sink.evolveSchema", json!(true))], &[]),
            (
                &[("sink.evolveSchema", json!(true)), ("sink.type", json!("clickhouse"))],
                &["sink.evolveSchema: only for Iceberg; remove it"],
            ),
            (
                &[("sink.maintenance", json!({})), ("sink.type", json!("couchbase"))],
                &["sink.maintenance: only for Iceberg; remove it"],
            ),
            (
                &[("sink.defaults", json!({ "writeMode": "merge", "targetFileSize": "512MB" }))],
                &[
                    r#"sink.defaults.targetFileSize: "512MB" is not a size; write a whole number of Ki, Mi, Gi or Ti, such as "512Mi""#,
                    r#"sink.defaults.writeMode: "merge" is not known here; write "upsert", "append" or "append-idempotent""#,
                ],
            ),
            (
                &[(
                    "sink.maintenance",
                    json!({
                        "enabled": true,
                        "compaction": { "interval": "0s", "targetFileSize": "1.5Gi", "minInputFiles": 0 },
                        "snapshotExpiry": { "interval": "5", "retainLast": 0, "maxAge": "-1h" },
                        "orphanCleanup": { "interval": "1d", "olderThan": 72 },
                    }),
                )],
                &[
                    r#"sink.maintenance.compaction.interval: "0s" is no time at all; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                    "sink.maintenance.compaction.minInputFiles: 0 is out of range; write 1 or more",
                    r#"sink.maintenance.compaction.targetFileSize: "1.5Gi" is not a size; write a whole number of Ki, Mi, Gi or Ti, such as "512Mi""#,
                    r#"sink.maintenance.orphanCleanup.interval: "1d" is not a duration; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                    r#"sink.maintenance.orphanCleanup.olderThan: expected a string, got the number 72; put it in quotes: "72""#,
                    r#"sink.maintenance.snapshotExpiry.interval: "5" is not a duration; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                    r#"sink.maintenance.snapshotExpiry.maxAge: "-1h" is negative; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#,
                    "sink.maintenance.snapshotExpiry.retainLast: 0 is out of range; write 1 or more",
                ],
            ),
        ],
    );
}

#[test]
fn maintenance_that_is_not_said_has_its_defaults() {
    let document = changed(mysql(), &[("sink.maintenance", json!({ "enabled": true }))]);
    let maintenance = Document::parse(&document).unwrap().document.sink.maintenance.unwrap();
    let (compaction, expiry, cleanup) =
        (maintenance.compaction, maintenance.snapshot_expiry, maintenance.orphan_cleanup);
    let shown = [
        compaction.interval.to_string(),
        compaction.target_file_size.to_string(),
        compaction.min_input_files.to_string(),
        expiry.interval.to_string(),
        expiry.retain_last.to_string(),
        expiry.max_age.to_string(),
        cleanup.interval.to_string(),
        cleanup.older_than.to_string(),
    ];
    assert_eq!(shown, ["5m", "512Mi", "5", "10m", "1", "168h", "1h", "72h"]);
    assert_eq!(compaction.interval.length().as_secs(), 300);
}

#[test]
fn the_type_says_the_kind_and_whether_several_may_write() {
    let cases = [
        (json!(null), SinkKind::Iceberg, true),
        (json!("iceberg"), SinkKind::Iceberg, true),
        (json!("iceberg+glue"), SinkKind::Iceberg, true),
        (json!("iceberg+"), SinkKind::Other, false),
        (json!("clickhouse"), SinkKind::ClickHouse, true),
        (json!("couchbase"), SinkKind::Couchbase, false),
        (json!("kudu"), SinkKind::Other, false),
    ];
    for (name, kind, several) in cases {
        let document = changed(mysql(), &[("sink.type", name.clone())]);
        let sink = Document::parse(&document).unwrap().document.sink;
        assert_eq!((sink.kind(), sink.supports_concurrent_writers()), (kind, several), "{name}");
    }
    let atomic = changed(mysql(), &[("sink.type", json!("couchbase")), ("sink.commitMode", json!("atomic"))]);
    assert!(Document::parse(&atomic).unwrap().document.sink.supports_concurrent_writers());
}
