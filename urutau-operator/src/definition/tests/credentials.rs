use serde_json::{Value, json};

use super::{changed, kafka, mysql, postgres};
use crate::definition::Document;

fn document(base: fn() -> Value, changes: &[super::Change]) -> Document {
    Document::parse(&changed(base(), changes)).unwrap().document
}

#[test]
fn somebody_must_say_where_the_source_and_the_sink_are() {
    let paths = |document: &Document, source, catalog| -> Vec<String> {
        document.missing_credentials(source, catalog).into_iter().map(|problem| problem.path).collect()
    };
    let plain = document(mysql, &[]);
    assert_eq!(paths(&plain, true, true), [""; 0]);
    assert_eq!(paths(&plain, true, false), ["sink.uri"]);
    assert_eq!(paths(&plain, false, true), ["source.uri"]);
    let inline = document(mysql, &[("source.uri", json!("mysql://a")), ("sink.uri", json!("polaris://b"))]);
    assert_eq!(paths(&inline, false, false), [""; 0]);
    let brokers = document(kafka, &[("source.bootstrapServers", json!("kafka:9092"))]);
    assert_eq!(paths(&brokers, false, true), [""; 0]);
    let brokers = document(mysql, &[("source.bootstrapServers", json!("kafka:9092"))]);
    assert_eq!(paths(&brokers, false, true), ["source.uri"]);
    let parts = document(postgres, &[("source.postgres", json!({ "host": "db" }))]);
    assert_eq!(paths(&parts, false, true), [""; 0]);
    let no_host = document(postgres, &[("source.postgres", json!({ "database": "shop" }))]);
    assert_eq!(
        no_host.missing_credentials(false, true)[0].to_string(),
        "source.uri: there is neither a uri here nor a Secret that holds one; \
         name a Secret with a key uri in spec.secrets.source"
    );
}

#[test]
fn secrets_in_the_document_are_warned_of() {
    let uri = |uri: &str| !document(mysql, &[]).inline_secrets_with(uri).is_empty();
    for with_password in ["mysql://u:p@db/shop", "mysql://:p@db", "u:p@db", "mysql://u:p@w@db", "kafka://u:p@a,b?x=1"] {
        assert!(uri(with_password), "{with_password}");
    }
    for without in ["mysql://u@db:3306/shop", "mysql://db", "mysql://u:@db", "http://db/a:b@c", "http://db?x=a:b@c", ""]
    {
        assert!(!uri(without), "{without}");
    }
    let document = document(
        postgres,
        &[
            (
                "source.postgres",
                json!({ "password": "p", "ssh": { "password": "p", "privateKey": "k", "passphrase": "p" } }),
            ),
            ("source.kafka", json!({ "sasl": { "username": "u", "password": "p" } })),
            ("source.snapshotUri", json!("postgres://u:p@replica")),
            ("sink.clientSecret", json!("s")),
            ("tables[0].enrich", json!([{ "table": "a", "source": { "uri": "mysql://u:p@db" } }])),
        ],
    );
    let warnings: Vec<String> = document.inline_secrets().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(warnings.join("\n"));
}

impl Document {
    fn inline_secrets_with(mut self, uri: &str) -> Vec<crate::shape::Problem> {
        self.source.uri = Some(uri.to_owned());
        self.inline_secrets()
    }
}
