use serde_json::json;

use super::{check, kafka, mysql, postgres};
use crate::definition::{Document, Format, Plugin, SaslMechanism, SslMode};

#[test]
fn the_source_of_a_mysql_pipeline() {
    check(
        mysql,
        &[
            (&[("source.kind", json!(null))], &[r#"source.kind: required; add kind: "mysql", "postgres" or "kafka""#]),
            (
                &[("source.kind", json!("mysqll"))],
                &[
                    r#"source.kind: "mysqll" is not known here; did you mean "mysql"? write "mysql", "postgres" or "kafka""#,
                ],
            ),
            (
                &[("source.serverId", json!(null))],
                &[
                    r#"source.serverId: required for mysql; give each reader of a server a number of its own, in quotes, such as "1101""#,
                ],
            ),
            (
                &[("source.serverId", json!(1101))],
                &[r#"source.serverId: expected a string, got the number 1101; put it in quotes: "1101""#],
            ),
            (
                &[("source.serverId", json!("0"))],
                &[
                    r#"source.serverId: "0" is not a server id; write a whole number from 1 to 4294967295 in quotes, such as "1101""#,
                ],
            ),
            (&[("source.serverId", json!("01101"))], &[]),
            (&[("source.snapshotMode", json!("initial"))], &[]),
            (&[("source.maxReconnectAttempts", json!(0))], &[]),
            (
                &[("source.maxReconnectAttempts", json!(-1))],
                &["source.maxReconnectAttempts: -1 is out of range; write 0 or more"],
            ),
            (&[("source.onTruncate", json!("fail"))], &[]),
            (
                &[("source.onTruncate", json!("skip"))],
                &[r#"source.onTruncate: "skip" is not known here; write "ignore" or "fail""#],
            ),
            (&[("source.onDecodeError", json!("skip"))], &["source.onDecodeError: only for kind kafka; remove it"]),
            (
                &[("source.format", json!("raw"))],
                &[
                    "source.format: raw is only for kind kafka; remove it, or write debezium",
                    "tables[0].writeMode: messages of source.format raw are not rows, and can't be upserted; write writeMode: append",
                ],
            ),
            (
                &[("source.format", json!("avro")), ("source.schemaRegistry", json!("http://registry:8081"))],
                &["source.format: avro is only for kind kafka; remove it, or write debezium"],
            ),
            (&[("source.format", json!("debezium"))], &[]),
            (
                &[("source.postgres", json!({ "host": "db" }))],
                &["source.postgres: only for kind postgres; remove it, or correct source.kind"],
            ),
            (
                &[("source.sevrerId", json!("1")), ("source.serverId", json!(null))],
                &[r#"source.sevrerId: unknown field; did you mean "serverId"?"#],
            ),
        ],
    );
}

#[test]
fn the_source_of_a_postgres_pipeline() {
    check(
        postgres,
        &[
            (
                &[("source.slotName", json!(null))],
                &["source.slotName: required for postgres; name the logical replication slot"],
            ),
            (
                &[("source.uri", json!("postgres://db/shop")), ("source.postgres", json!({ "host": "db" }))],
                &["source.postgres: not together with uri; keep one of the two"],
            ),
            (&[("source.postgres", json!({ "host": "db", "maxThreads": 1 }))], &[]),
            (
                &[("source.postgres", json!({ "maxThreads": 0 }))],
                &["source.postgres.maxThreads: 0 is out of range; write a number from 1 to 32"],
            ),
            (
                &[("source.postgres", json!({ "maxThreads": 33 }))],
                &["source.postgres.maxThreads: 33 is out of range; write a number from 1 to 32"],
            ),
            (
                &[("source.postgres", json!({ "port": 0 }))],
                &["source.postgres.port: 0 is out of range; write a number from 1 to 65535"],
            ),
            (
                &[("source.postgres", json!({ "ssl": { "mode": "verify" } }))],
                &[
                    r#"source.postgres.ssl.mode: "verify" is not known here; did you mean "verify-ca"? write "disable", "require", "verify-ca" or "verify-full""#,
                ],
            ),
            (
                &[("source.postgres", json!({ "ssh": { "port": 65536 } }))],
                &["source.postgres.ssh.port: 65536 is out of range; write a number from 1 to 65535"],
            ),
            (
                &[("source.postgres", json!({ "cdc": { "initialWaitTime": 29 } }))],
                &["source.postgres.cdc.initialWaitTime: 29 is out of range; write 30 or more"],
            ),
            (
                &[("source.postgres", json!({ "cdc": { "plugin": "wal2jsn" } }))],
                &[
                    r#"source.postgres.cdc.plugin: "wal2jsn" is not known here; did you mean "wal2json"? write "pgoutput" or "wal2json""#,
                ],
            ),
            (
                &[("source.postgres", json!({ "schemas": ["shop", ""], "discover": true })), ("tables", json!([]))],
                &["source.postgres.schemas[1]: is empty; name a schema, or remove it"],
            ),
            (
                &[("source.postgres", json!({ "params": { "application_name": 1 } }))],
                &[
                    r#"source.postgres.params.application_name: expected a string, got the number 1; put it in quotes: "1""#,
                ],
            ),
        ],
    );
}

#[test]
fn the_source_of_a_kafka_pipeline() {
    check(
        kafka,
        &[
            (&[("source.snapshotMode", json!("none"))], &[]),
            (&[("source.snapshotMode", json!(""))], &[]),
            (
                &[("source.snapshotMode", json!("initial"))],
                &["source.snapshotMode: a topic has no snapshot; write none, or remove it"],
            ),
            (&[("source.onDecodeError", json!("skip"))], &[]),
            (
                &[("source.onTruncate", json!("ignore"))],
                &["source.onTruncate: only for kind mysql and postgres; remove it"],
            ),
            (&[("source.format", json!("raw"))], &[]),
            (
                &[("source.format", json!("avro"))],
                &["source.schemaRegistry: required for format avro; name the address of the schema registry"],
            ),
            (
                &[
                    ("source.format", json!("avro")),
                    ("source.schemaRegistry", json!("http://registry:8081")),
                    ("source.schemaRegistryAuth", json!({ "ca": "/ca", "cert": "/cert", "key": "/key" })),
                ],
                &[],
            ),
            (
                &[("source.kafka", json!({ "tls": { "cert": "/cert" } }))],
                &["source.kafka.tls.key: required together with cert; add it, or remove cert"],
            ),
            (
                &[("source.kafka", json!({ "tls": { "key": "/key" } }))],
                &["source.kafka.tls.cert: required together with key; add it, or remove key"],
            ),
            (
                &[("source.kafka", json!({ "sasl": {} }))],
                &[
                    "source.kafka.sasl.password: required; add password, a string",
                    "source.kafka.sasl.username: required; add username, a string",
                ],
            ),
            (&[("source.kafka", json!({ "sasl": { "mechanism": "", "username": "u", "password": "p" } }))], &[]),
            (
                &[(
                    "source.kafka",
                    json!({ "sasl": { "mechanism": "SCRAM-SHA-256", "username": "u", "password": "p" } }),
                )],
                &[
                    r#"source.kafka.sasl.mechanism: "SCRAM-SHA-256" is not known here; did you mean "scram-sha-256"? write "plain", "scram-sha-256" or "scram-sha-512""#,
                ],
            ),
        ],
    );
}

#[test]
fn what_is_not_said_has_its_default() {
    let source = |value| Document::parse(&value).unwrap().document.source;
    let plain = source(mysql());
    assert_eq!((plain.reconnect_attempts(), plain.format, plain.snapshot_uri()), (3, Format::Debezium, None));
    let said = [("source.maxReconnectAttempts", json!(7)), ("source.uri", json!("mysql://a"))];
    let said = source(super::changed(mysql(), &said));
    assert_eq!((said.reconnect_attempts(), said.snapshot_uri()), (7, Some("mysql://a")));
    let replica = [("source.uri", json!("mysql://a")), ("source.snapshotUri", json!("mysql://b"))];
    assert_eq!(source(super::changed(mysql(), &replica)).snapshot_uri(), Some("mysql://b"));

    let parts = json!({ "ssl": {}, "ssh": {}, "cdc": {} });
    let postgres = source(super::changed(postgres(), &[("source.postgres", parts)])).postgres.unwrap();
    assert_eq!((postgres.port, postgres.retry_count, postgres.discover), (5432, 3, false));
    assert_eq!(postgres.ssl.unwrap().mode, SslMode::Disable);
    assert_eq!(postgres.ssh.unwrap().port, 22);
    let cdc = postgres.cdc.unwrap();
    assert_eq!((cdc.plugin, cdc.initial_wait_time), (Plugin::Pgoutput, 300));

    let sasl = json!({ "sasl": { "mechanism": "scram-sha-512", "username": "u", "password": "p" } });
    let kafka = source(super::changed(kafka(), &[("source.kafka", sasl)])).kafka.unwrap();
    assert_eq!(kafka.sasl.unwrap().mechanism, Some(SaslMechanism::ScramSha512));
}
