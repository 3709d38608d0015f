use kube::CustomResourceExt as _;
use serde_json::{Value, json};

use super::{CDCPipeline, LogLevel, check, check_change, read};
use crate::shape::Problem;

fn example() -> Value {
    let documents: Vec<Value> = serde_saphyr::from_multiple(include_str!("../../../examples/shop-mysql.yaml")).unwrap();
    documents.into_iter().find(|document| document["kind"] == "CDCPipeline").unwrap()
}

fn changed(path: &str, value: Value) -> Value {
    let mut manifest = example();
    let (parents, last) = path.rsplit_once('.').unwrap_or(("", path));
    let parents = parents.split('.').filter(|part| !part.is_empty());
    let place = parents.fold(&mut manifest, |place, part| match part.parse::<usize>() {
        Ok(index) => &mut place[index],
        Err(_) => &mut place[part],
    });
    if value == json!("absent") {
        _ = place.as_object_mut().unwrap().remove(last);
    } else {
        place[last] = value;
    }
    manifest
}

fn shown(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn problems(manifest: &Value) -> Vec<String> {
    read(manifest, false).map_or_else(|problems| shown(&problems), |_| Vec::new())
}

#[test]
fn the_example_is_read_as_it_stands() {
    let checked = read(&example(), false).unwrap();
    let spec = &checked.pipeline.spec;
    assert_eq!(checked.pipeline.metadata.name.as_deref(), Some("shop-mysql"));
    assert_eq!(spec.image.as_deref(), Some("ghcr.io/you/urutau:v1.2.3"));
    assert_eq!(spec.worker.memory_overhead.unwrap().to_string(), "512Mi");
    assert_eq!(spec.coordinator.metrics_addr.to_string(), ":9090");
    assert_eq!(spec.definition.inline.as_ref().unwrap().as_json(), &example()["spec"]["definition"]["inline"]);
    let targets: Vec<&str> = checked.document.tables.iter().map(|table| table.target.as_str()).collect();
    assert_eq!(targets, ["raw.orders", "raw.customers"]);
    assert_eq!(
        shown(&checked.warnings),
        [
            "spec.coordinator.state: is not set, so that the key ranges of tables with several workers last only as long as the \
             coordinator's Pod; add state with a size"
        ]
    );
    assert!(check(checked.pipeline, true).is_ok());
}

#[test]
fn what_is_read_is_written_as_it_was() {
    let pipeline: CDCPipeline = serde_json::from_value(example()).unwrap();
    let mut expected = example();
    expected["spec"]["coordinator"] = json!({ "metricsAddr": ":9090" });
    expected["spec"]["suspend"] = json!(false);
    assert_eq!(serde_json::to_value(&pipeline).unwrap(), expected);
}

#[test]
fn each_mistake_of_a_manifest_is_told_by_its_path() {
    let name = "can't be the beginning of other names; use at most 40 lower case letters, digits and dashes; begin with a letter, and end with no dash";
    let cases = [
        ("metadata.name", json!("absent"), "metadata.name: required; name the pipeline".to_owned()),
        ("metadata.name", json!("1shop"), format!("metadata.name: \"1shop\" {name}")),
        ("metadata.name", json!("shop.mysql"), format!("metadata.name: \"shop.mysql\" {name}")),
        ("metadata.name", json!("a".repeat(41)), format!("metadata.name: {:?} {name}", "a".repeat(41))),
        ("spec.logLevel", json!("warning"), r#"spec.logLevel: "warning" is not known here; write "debug", "info", "warn" or "error""#.to_owned()),
        ("spec.worker.cpu", json!("1 cpu"), r#"spec.worker.cpu: "1 cpu" is not a quantity; write a number with a suffix if it needs one, such as "2", "500m" or "4Gi""#.to_owned()),
        ("spec.worker.cpuOverhead", json!("1"), "spec.worker.cpuOverhead: unknown field; remove it; known here: cpu, cpu_overhead, memory, memory_overhead, metricsAddr".to_owned()),
        ("spec.coordinator", json!({ "snapshot": { "chunkSize": 0 } }), "spec.coordinator.snapshot.chunkSize: 0 is out of range; write 1 or more".to_owned()),
        ("spec.coordinator", json!({ "supervision": { "ackTimeout": "0s" } }), r#"spec.coordinator.supervision.ackTimeout: "0s" is no time at all; write a number and a unit (ns, us, ms, s, m, h), such as "30s" or "1h30m""#.to_owned()),
        ("spec.coordinator", json!({ "metricsAddr": "9090" }), r#"spec.coordinator.metricsAddr: "9090" is not an address; write host:port or only :port, such as ":9090""#.to_owned()),
        ("spec.coordinator", json!({ "metricsAddr": "localhost:91" }), r#"spec.coordinator.metricsAddr: the probes can't reach localhost:91, a loopback address; write only the port, ":91""#.to_owned()),
        ("spec.coordinator", json!({ "tls": { "serverSecret": "a" } }), "spec.coordinator.tls.clientSecret: required; add clientSecret, a string".to_owned()),
        ("spec.coordinator", json!({ "state": { "size": "0" } }), "spec.coordinator.state.size: is nothing; write how large the volume is to be, such as 1Gi".to_owned()),
        ("spec.coordinator", json!({ "state": {} }), "spec.coordinator.state.size: required; add size, a string or a whole number".to_owned()),
        ("spec.definition", json!("absent"), "spec.definition.inline: required; write the pipeline document here".to_owned()),
        ("spec.secrets.source", json!("absent"), String::new()),
        ("spec.definition.inline.source.uri", json!("absent"), String::new()),
        ("spec.definition.inline.source.kind", json!("oracle"), r#"spec.definition.inline.source.kind: "oracle" is not known here; write "mysql", "postgres" or "kafka""#.to_owned()),
        ("spec.definition.inline.tables.1.target", json!("raw.orders"), r#"spec.definition.inline.tables[1].target: "raw.orders" is the target of tables[0] already; name each only once"#.to_owned()),
    ];
    for (path, value, expected) in cases {
        let found = problems(&changed(path, value.clone()));
        assert_eq!(found.join("\n"), expected, "{path}: {value}");
    }
}

#[test]
fn all_parts_of_a_manifest_are_told_at_once() {
    let mut manifest = changed("spec.definition", json!({ "image": "a", "s3": "b", "inlin": {} }));
    manifest["metadata"]["name"] = json!("Shop");
    manifest["spec"]["wroker"] = json!({});
    manifest["spec"]["coordinator"] = json!({ "cpu": 0.5 });
    let paths: Vec<String> = read(&manifest, false).unwrap_err().into_iter().map(|problem| problem.path).collect();
    assert_eq!(
        paths,
        [
            "metadata.name",
            "spec.coordinator.cpu",
            "spec.definition.image",
            "spec.definition.inlin",
            "spec.definition.s3",
            "spec.wroker"
        ]
    );
    assert_eq!(
        problems(&json!({})),
        [
            "metadata.name: required; name the pipeline",
            "spec.definition.inline: required; write the pipeline document here"
        ]
    );
    assert_eq!(
        problems(&changed("spec", json!("absent"))),
        ["spec.definition.inline: required; write the pipeline document here"]
    );
    assert!(problems(&changed("spec", json!([])))[0].starts_with("spec: expected an object, got a list; "));
}

#[test]
fn what_stands_beside_the_spec_is_told_too() {
    let mut manifest = changed("metadata.labels", json!({ "a": 1 }));
    manifest["metadata"]["nmae"] = json!("x");
    manifest["sepc"] = manifest["spec"].take();
    manifest.as_object_mut().unwrap().remove("spec");
    manifest["owner"] = json!("me");
    assert_eq!(
        problems(&manifest),
        [
            "metadata.labels.a: expected a string, got the number 1; put it in quotes: \"1\"",
            "metadata.nmae: unknown field; remove it; known here: annotations, creationTimestamp, deletionGracePeriodSeconds, \
             deletionTimestamp, finalizers, generateName, generation, labels, managedFields, name, namespace, \
             ownerReferences, resourceVersion, selfLink, uid",
            "owner: unknown field; remove it; known here: apiVersion, kind, metadata, spec, status",
            "sepc: unknown field; did you mean \"spec\"?",
        ]
    );
    let metadata = |metadata| problems(&changed("metadata", metadata)).concat();
    assert!(metadata(json!([])).starts_with("metadata: expected an object, got a list; "));
    assert_eq!(metadata(json!(null)), "metadata.name: required; name the pipeline");
}

#[test]
fn somebody_must_hold_the_uris() {
    let mut manifest = changed("spec.secrets", json!({}));
    manifest["spec"]["definition"]["inline"]["source"]["uri"] = json!("");
    assert_eq!(
        problems(&manifest),
        [
            "spec.definition.inline.source.uri: there is neither a uri here nor a Secret that holds one; name a Secret with a key uri in spec.secrets.source"
        ]
    );
}

#[test]
fn names_that_meet_are_told() {
    let manifest = changed("spec.definition.inline.tables.1.target", json!("coordinator"));
    assert_eq!(
        problems(&manifest),
        [
            "spec.definition.inline.tables[1].target: a worker would be called shop-mysql-coordinator-0, as the coordinator's Pod is; \
             change the target of a table, or the pipeline name that the document gives itself"
        ]
    );
}

#[test]
fn passwords_and_lost_ranges_are_warned_of() {
    let mut manifest = changed("spec.definition.inline.source.uri", json!("mysql://u:p@db/shop"));
    manifest["spec"]["coordinator"] = json!({ "state": { "size": "1Gi" } });
    let warnings = read(&manifest, false).unwrap().warnings;
    assert_eq!(
        shown(&warnings),
        ["spec.definition.inline.source.uri: holds a secret, which whoever may read ConfigMaps here can read; \
             put it in a Secret and name that in spec.secrets.source"]
    );
}

#[test]
fn the_state_stays_as_it_is() {
    let spec = |coordinator: Value| {
        serde_json::from_value::<CDCPipeline>(changed("spec.coordinator", coordinator)).unwrap().spec
    };
    let (none, one, two) =
        (spec(json!({})), spec(json!({ "state": { "size": "1Gi" } })), spec(json!({ "state": { "size": "2Gi" } })));
    for (old, new) in [(&none, &one), (&one, &none), (&one, &two)] {
        assert_eq!(check_change(old, new)[0].path, "spec.coordinator.state");
    }
    let same = spec(json!({ "cpu": "1", "state": { "size": "1024Mi" } }));
    for (old, new) in [(&none, &none), (&one, &same)] {
        assert_eq!(check_change(old, new), []);
    }
}

#[test]
fn a_name_may_be_left_to_the_server() {
    let mut manifest = changed("metadata.name", json!("absent"));
    manifest["metadata"]["generateName"] = json!("shop-");
    assert_eq!(problems(&manifest), [""; 0]);
}

#[test]
fn levels_are_told_as_they_are_written() {
    for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error] {
        assert_eq!(serde_json::to_value(level).unwrap(), json!(level.as_str()));
    }
}

fn crd() -> Value {
    serde_json::to_value(CDCPipeline::crd()).unwrap()
}

/// Calls a function for every schema in the CRD, with its path.
fn each_schema(schema: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(path, schema);
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        each_schema(field, &format!("{path}.{name}"), visit);
    }
    for inner in ["items", "additionalProperties"] {
        if schema[inner].is_object() {
            each_schema(&schema[inner], &format!("{path}[]"), visit);
        }
    }
}

#[test]
fn the_crd_is_structural_and_described_and_safe_to_template() {
    let crd = crd();
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    each_schema(schema, "", &mut |path, schema| {
        for forbidden in ["$ref", "oneOf", "anyOf", "allOf", "not", "const", "definitions", "$defs"] {
            assert!(schema.get(forbidden).is_none(), "{path} has {forbidden}");
        }
        assert!(path.ends_with(']') || schema["description"].is_string(), "{path} is not described");
        assert!(!schema.to_string().contains("{{"), "{path} would be taken for a template");
        let is_open = schema["x-kubernetes-preserve-unknown-fields"] == true;
        let is_number = schema["x-kubernetes-int-or-string"] == true;
        assert!(schema["type"].is_string() || is_open || is_number, "{path} has no type");
        let both = schema["properties"].is_object() && schema["additionalProperties"].is_object();
        assert!(!both, "{path} has both properties and additionalProperties");
        if schema["type"] == "integer" {
            let format = schema.get("format").and_then(Value::as_str);
            assert!(matches!(format, None | Some("int32" | "int64")), "{path} has the format {format:?}");
        }
        if schema["enum"].is_array() {
            assert!(schema.get("nullable").is_none(), "{path}: the server refuses null for an enum");
        }
        let is_status = path.starts_with(".status.");
        assert!(!is_status || schema.get("nullable").is_none(), "{path} is ours, and never null");
        if let (Some(default), Some(words)) = (schema.get("default"), schema["enum"].as_array()) {
            assert!(words.contains(default), "{path} has a default that is none of its words");
        }
        for key in schema["x-kubernetes-list-map-keys"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let items = &schema["items"];
            let is_required = items["required"].as_array().unwrap().iter().any(|name| name == key);
            assert!(
                is_required || items["properties"][key].get("default").is_some(),
                "{path} has a key that may be absent"
            );
        }
    });
}

/// What the server fills in is what we read when it does not: whole, empty or absent.
#[test]
fn defaults_are_the_same_with_and_without_the_server() {
    let crd = crd();
    let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    let coordinator = &spec["properties"]["coordinator"];
    assert_eq!(coordinator["default"], json!({ "metricsAddr": ":9090" }));
    assert_eq!(coordinator["properties"]["metricsAddr"]["default"], json!(":9090"));
    assert_eq!(spec["properties"]["suspend"]["default"], json!(false));
    for spec in [json!({}), json!({ "coordinator": {} }), json!({ "coordinator": { "metricsAddr": ":9090" } })] {
        let read: super::CDCPipelineSpec = serde_json::from_value(spec).unwrap();
        assert_eq!(read, super::CDCPipelineSpec::default());
    }
}

#[test]
fn printer_columns_point_at_fields_that_are_there() {
    let crd = crd();
    let version = &crd["spec"]["versions"][0];
    let columns = version["additionalPrinterColumns"].as_array().unwrap();
    let names: Vec<&str> = columns.iter().filter_map(|column| column["name"].as_str()).collect();
    assert_eq!(names, ["Phase", "Ready", "Tables", "Workers", "Image", "Age"]);
    for path in columns.iter().filter_map(|column| column["jsonPath"].as_str()) {
        if path == ".metadata.creationTimestamp" {
            continue;
        }
        let plain = path.replace("[?(@.type==\"Ready\")]", "[]");
        let mut is_there = false;
        each_schema(&version["schema"]["openAPIV3Schema"], "", &mut |at, _| is_there |= at == plain);
        assert!(is_there, "{path}");
    }
}

#[test]
fn the_crd_is_small_enough_to_be_applied_by_any_client() {
    assert!(serde_json::to_string(&crd()).unwrap().len() < 100_000);
}

#[test]
fn the_schema_of_the_spec() {
    let mut crd = crd();
    let spec = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    // The document's own part is compared with its types elsewhere.
    spec["properties"]["definition"]["properties"]["inline"] = json!("...");
    insta::assert_snapshot!(serde_saphyr::to_string(spec).unwrap());
}
