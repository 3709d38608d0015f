use super::*;

#[test]
fn the_folder_of_the_operator() {
    let folder = folder();
    let customers = json!({ "source": "shop.customers", "target": "raw.customers", "primaryKey": ["id"] });
    let tables = json!([orders(json!({ "number": 2, "max": 5 })), customers]);
    write(folder.path(), &document(tables), &[("raw.orders", elastic()), ("raw.customers", template(json!(null)))]);
    std::fs::write(folder.path().join("other.yaml"), "[").unwrap();
    let config = Config::read(folder.path()).unwrap();
    assert!(config.has_templates);
    let [orders, customers] = config.tables.as_slice() else { panic!("{config:?}") };
    assert_eq!((orders.workers.ranges(), orders.column()), (5, Some("id")));
    assert_eq!(orders.workers.stateful_set().unwrap().name, "shop-raw-orders");
    assert_eq!(
        (customers.workers.deployments(), customers.workers.stateful_set()),
        (&["shop-raw.customers-0".to_owned()][..], None)
    );
    assert!(config.tables.iter().all(|table| table.template.is_some()));
}

#[test]
fn no_templates_are_no_mistake() {
    let config = config_of(orders(json!({ "number": 2, "max": 5 })), &[]);
    assert!(!config.has_templates && config.tables[0].template.is_none());
    assert_eq!(config.tables[0].workers.deployments().len(), 2, "nothing says that it is elastic");
}

#[test]
fn what_is_wrong_with_the_document_is_told_by_file_and_path() {
    let folder = folder();
    let cases: [(String, &[&str]); 5] = [
        (String::new(), &["pipeline.yaml: nothing stands in it"]),
        ("a: [".to_owned(), &["pipeline.yaml: document 1 of 1, line 1, column 4: unclosed bracket '['; close it"]),
        ("a: 1\n---\nb: 1\n".to_owned(), &["pipeline.yaml: 2 documents stand in it; keep one"]),
        (
            "{ apiVersion: urutau.io/v1alpha1, kind: CDCPipeline }".to_owned(),
            &["pipeline.yaml: is a whole CDCPipeline; the document is what stands under its spec.definition.inline"],
        ),
        (
            document(json!([{ "source": "a" }])).to_string(),
            &[
                "pipeline.yaml: tables[0].primaryKey: required for writeMode upsert",
                "pipeline.yaml: tables[0].target: required",
            ],
        ),
    ];
    assert_eq!(problems(folder.path()).len(), 1, "no file");
    for (text, expected) in cases {
        std::fs::write(folder.path().join("pipeline.yaml"), &text).unwrap();
        let problems = problems(folder.path());
        assert_eq!(problems.len(), expected.len(), "{problems:#?}");
        for (problem, begin) in problems.iter().zip(expected) {
            assert!(problem.starts_with(begin), "{problem}");
        }
    }
}

/// Before anything else, whatever the templates are.
#[test]
fn a_sink_that_takes_one_writer_refuses_several_workers() {
    let folder = folder();
    let mut document = document(json!([orders(json!({ "number": 3 }))]));
    document["sink"]["type"] = json!("couchbase");
    write(folder.path(), &document, &[("raw.orders", json!("no template"))]);
    assert_eq!(
        problems(folder.path()),
        [
            "pipeline.yaml: tables[0].workers.number: raw.orders: 3 workers, but a couchbase sink takes only one writer of a \
          table; write number: 1, or set sink.commitMode: atomic"
        ]
    );
    document["sink"]["commitMode"] = json!("atomic");
    write(folder.path(), &document, &[("raw.orders", template(json!(null)))]);
    assert_eq!(problems(folder.path()), [""; 0]);
}

#[test]
fn what_is_wrong_with_templates_is_told_all_at_once() {
    let folder = folder();
    let plain = || template(json!(null));
    let table = |target: &str, workers: Value| json!({ "source": target, "target": target, "primaryKey": ["id"], "workers": workers });
    let two =
        document(json!([table("a", json!({ "max": 3 })), table("b", json!({ "max": 3 })), table("c", json!(null))]));
    let named = json!({ "spec": { "containers": [{ "name": "worker", "args": ["run", "--name=x"] }] } });
    let unnamed = json!({ "spec": { "containers": [{ "name": "main" }] } });

    write(folder.path(), &two, &[("a", named), ("b", unnamed), ("c", json!([1]))]);
    let found = problems(folder.path());
    assert!(found[0].starts_with("worker-pod-template.a.yaml: worker has an argument --name; "), "{found:#?}");
    assert!(found[1].starts_with("worker-pod-template.b.yaml: no container is called worker; "), "{found:#?}");
    assert!(found[2].starts_with("worker-pod-template.c.yaml: is not the template of a Pod: "), "{found:#?}");
    assert_eq!(found.len(), 3);

    write(folder.path(), &two, &[("a", elastic()), ("b", plain()), ("c", elastic())]);
    let found = problems(folder.path());
    assert!(
        found[0].starts_with("worker-pod-template.b.yaml: there is no annotation urutau.io/elastic, though "),
        "{found:#?}"
    );
    assert!(
        found[1].starts_with("worker-pod-template.c.yaml: the annotation urutau.io/elastic says that an autoscaler "),
        "{found:#?}"
    );
    assert_eq!(found.len(), 2);

    write(folder.path(), &two, &[("a", plain()), ("b", plain()), ("c", plain())]);
    assert_eq!(problems(folder.path()), [""; 0]);
    std::fs::remove_file(folder.path().join("worker-pod-template.b.yaml")).unwrap();
    assert_eq!(
        problems(folder.path()),
        ["worker-pod-template.b.yaml: there is no such file, but there are templates of other tables; add it"]
    );
}

/// A worker without what was not understood is not the one that was meant.
#[test]
fn what_a_template_says_and_nobody_understands_is_refused() {
    let folder = folder();
    let table = |target: &str| json!({ "source": target, "target": target, "primaryKey": ["id"] });
    let slip = json!({
        "metadata": { "labels": { "anything": "goes" }, "creationTimestamp": null },
        "specs": {},
        "xyzzy": 1,
        "spec": {
            "containers": [
                { "name": "worker", "imagee": "x", "resources": { "limits": { "memory": "1Gi" } }, "env": [] },
                { "name": "other", "volumeMounts": [{ "name": "a", "mountPath": "/", "read-only": true }] },
            ],
        },
    });
    let twice = json!({ "spec": { "containers": [{ "name": "worker" }, { "name": "worker" }] } });
    let mark = |value: &str| template(json!({ crate::workers::ELASTIC: value }));
    write(
        folder.path(),
        &document(json!([table("a"), table("b"), table("c"), table("d")])),
        &[("a", slip), ("b", twice), ("c", mark("True")), ("d", mark("false"))],
    );
    assert_eq!(
        problems(folder.path()),
        [
            "worker-pod-template.a.yaml: spec.containers[0].imagee: unknown field; did you mean \"image\"?",
            "worker-pod-template.a.yaml: spec.containers[1].volumeMounts[0].read-only: unknown field; did you mean \"readOnly\"?",
            "worker-pod-template.a.yaml: specs: unknown field; did you mean \"spec\"?",
            "worker-pod-template.a.yaml: xyzzy: unknown field; correct its name, or remove it",
            "worker-pod-template.b.yaml: 2 containers are called worker; keep the name for the one that is to be given \
             its own",
            "worker-pod-template.c.yaml: the annotation urutau.io/elastic is \"True\"; write \"true\", or remove it where \
             the table is not elastic",
            "worker-pod-template.d.yaml: the annotation urutau.io/elastic is \"false\"; write \"true\", or remove it where \
             the table is not elastic",
        ]
    );
}

#[test]
fn names_that_meet_are_refused() {
    let folder = folder();
    let table =
        |target: &str| json!({ "source": target, "target": target, "primaryKey": ["id"], "workers": { "max": 3 } });
    write(folder.path(), &document(json!([table("a.b"), table("a-b")])), &[("a.b", elastic()), ("a-b", elastic())]);
    let found = problems(folder.path());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].starts_with("pipeline.yaml: tables[1].target: the StatefulSet would be called shop-a-b, "),
        "{found:#?}"
    );
}
