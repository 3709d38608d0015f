//! What `render` makes of good input.

use crate::run::{Ran, command, folder, render, render_with, run};
use crate::{SHOP, replaced, two_tables, without};
use serde_json::{Value, json};

fn objects(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    serde_saphyr::from_multiple(&ran.out).unwrap()
}

fn find<'a>(objects: &'a [Value], kind: &str) -> &'a Value {
    let mut found = objects.iter().filter(|object| object["kind"] == kind);
    found.next().unwrap_or_else(|| panic!("no {kind}"))
}

/// The names of the objects with their kinds, in their order.
fn names(objects: &[Value]) -> Vec<String> {
    let name = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["name"]).replace('"', "");
    objects.iter().map(name).collect()
}

/// The template of a table's workers.
fn template(objects: &[Value], target: &str) -> Option<Value> {
    let files = &find(objects, "ConfigMap")["data"];
    let file = files.get(format!("worker-pod-template.{target}.yaml"))?;
    Some(serde_saphyr::from_str(file.as_str().unwrap()).unwrap())
}

fn resources(objects: &[Value], target: &str) -> Value {
    let template = template(objects, target).unwrap();
    template["spec"]["containers"][0].get("resources").cloned().unwrap_or_default()
}

#[test]
fn the_whole_output() {
    let ran = render(&two_tables());
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!("objects", ran.out);
    insta::assert_snapshot!("notes", ran.err);
}

#[test]
fn what_a_table_says_of_its_workers_goes_before_what_the_pipeline_says() {
    let objects = objects(&render(&two_tables()));
    assert_eq!(
        resources(&objects, "raw.orders"),
        json!({ "requests": { "cpu": "2", "memory": "4Gi" }, "limits": { "cpu": "2500m", "memory": "4608Mi" } })
    );
    assert_eq!(
        resources(&objects, "raw.customers"),
        json!({ "requests": { "cpu": "1", "memory": "2Gi" }, "limits": { "cpu": "1500m", "memory": "2560Mi" } })
    );
}

#[test]
fn each_of_cpu_and_memory_goes_its_own_way() {
    let objects = objects(&render(&without(SHOP, &["memory: \"4Gi\"", "cpu_overhead"])));
    assert_eq!(
        resources(&objects, "raw.orders"),
        json!({ "requests": { "cpu": "2", "memory": "2Gi" }, "limits": { "cpu": "2", "memory": "2560Mi" } })
    );
}

#[test]
fn no_cpu_and_no_memory_is_no_resources() {
    let ran = render(&without(&two_tables(), &["cpu", "memory", "worker:"]));
    let objects = objects(&ran);
    for target in ["raw.orders", "raw.customers"] {
        assert_eq!(resources(&objects, target), Value::Null);
    }
    assert!(!ran.out.contains("resources: {}") && !ran.out.contains("limits"), "{}", ran.out);
}

#[test]
fn no_image_is_no_template_and_no_stateful_set() {
    let ran = render(&without(&two_tables(), &["image:"]));
    let objects = objects(&ran);
    assert_eq!(
        names(&objects),
        [
            "ServiceAccount shop-mysql-coordinator",
            "Role shop-mysql-coordinator",
            "RoleBinding shop-mysql-coordinator",
            "ConfigMap shop-mysql-coordinator",
            "Service shop-mysql-coordinator",
            "PodDisruptionBudget shop-mysql-coordinator",
            "ServiceAccount shop-mysql-worker",
        ]
    );
    let files: Vec<&String> = find(&objects, "ConfigMap")["data"].as_object().unwrap().keys().collect();
    assert_eq!(files, ["pipeline.yaml"]);
    assert!(!ran.out.contains("deployments"), "nothing is provisioned, so nothing has to be allowed");
    let note = "note: standard input: document 1 of 1: spec.image: there is none here and no --coordinator-image, so there are \
                neither worker templates nor a StatefulSet; set one of them\n";
    assert!(ran.err.contains(note), "{}", ran.err);
}

#[test]
fn the_operators_image_is_for_pipelines_that_name_none() {
    let (with, none) = (two_tables(), without(&two_tables(), &["image:"]));
    let images = |ran: &Ran| {
        let objects = objects(ran);
        let container = |spec: &Value| spec["containers"][0]["image"].clone();
        [
            container(&template(&objects, "raw.orders").unwrap()["spec"]),
            container(&find(&objects, "StatefulSet")["spec"]["template"]["spec"]),
        ]
    };
    let by_option = render_with(&["--coordinator-image", "mine:1"], &none);
    assert_eq!(images(&by_option), ["mine:1", "mine:1"]);
    assert!(!by_option.err.contains("spec.image"), "{}", by_option.err);
    assert_eq!(images(&render_with(&["--coordinator-image=mine:1"], &with)), ["ghcr.io/you/urutau:v1.2.3"; 2]);

    let by_environment = |image: &str, arguments: &[&str]| {
        let mut command = command(&folder("image"));
        command.env("URUTAU_COORDINATOR_IMAGE", image).args(["render", "-f", "-"]).args(arguments);
        run(command, none.as_bytes())
    };
    assert_eq!(images(&by_environment("mine:2", &[])), ["mine:2", "mine:2"]);
    assert_eq!(images(&by_environment("mine:2", &["--coordinator-image", "mine:3"])), ["mine:3", "mine:3"]);
    assert_eq!(by_environment("", &[]).out, render(&none).out, "an empty one is none");
}

#[test]
fn the_output_is_the_same_byte_by_byte() {
    let first = render(&two_tables());
    for _ in 0..5 {
        let again = render(&two_tables());
        assert_eq!((again.out, again.err), (first.out.clone(), first.err.clone()));
    }
}

/// <https://github.com/slauger/openvox-operator/issues/77>: environment, volumes or files in the order of a hash map restart
/// Pods at random, since each process hashes differently. A `HashMap` in a derived struct does not even compile.
#[test]
fn k_07_nothing_is_in_the_order_of_a_hash_map() {
    let table = |i: u32| {
        format!("        - {{ source: shop.t{i}, target: raw.t{i}, primaryKey: [id], workers: {{ number: 3 }} }}\n")
    };
    let tables = (0..20).map(table).collect::<Vec<_>>().concat();
    let tls = "spec:\n  coordinator: { tls: { serverSecret: server, clientSecret: client }, state: { size: 1Gi } }\n";
    let pipeline = replaced(&format!("{SHOP}{tables}"), "spec:\n", tls);
    let first = render(&pipeline);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let templates = find(&objects(&first), "ConfigMap")["data"].as_object().unwrap().len() - 1;
    assert_eq!(templates, 21);
    for _ in 0..30 {
        let again = render(&pipeline);
        assert_eq!((&again.out, &again.err), (&first.out, &first.err));
    }
}

#[test]
fn a_file_and_standard_input_give_the_same() {
    let folder = folder("file");
    std::fs::write(folder.join("shop.yaml"), SHOP).unwrap();
    let mut command = command(&folder);
    command.args(["render", "--file", "shop.yaml"]);
    let (by_file, by_input) = (run(command, b""), render(SHOP));
    assert_eq!(by_file.out, by_input.out);
    assert_eq!(by_file.err, by_input.err.replace("standard input", "shop.yaml"));
}

#[test]
fn what_editors_and_templates_leave_in_a_file_does_no_harm() {
    let plain = render(SHOP);
    let same = [
        SHOP.replace('\n', "\r\n"),
        format!("\u{feff}{SHOP}"),
        format!("--- # Source: chart/templates/shop.yaml\n{SHOP}"),
        format!("%YAML 1.2\n---\n{SHOP}...\n"),
        format!("# a header\n\n---\n---\n{SHOP}---\n# the end\n---\n"),
        replaced(SHOP, "metadata:\n", &format!("metadata:\n{}", "  # words\n".repeat(100))),
        replaced(SHOP, "tables:\n", &format!("tables:\n{}", "        # words\n".repeat(100))),
        SHOP.trim_end().to_owned(),
        replaced(SHOP, "spec:\n", "spec:\n  logLevel: null\n  suspend:\n"),
        serde_json::to_string(&serde_saphyr::from_str::<Value>(SHOP).unwrap()).unwrap(),
    ];
    for text in same {
        let ran = render(&text);
        assert_eq!((ran.code, &ran.out), (Some(0), &plain.out), "{text}\n{}", ran.err);
        assert_eq!(ran.err, plain.err, "{text}");
    }
}

const SECRETS: &str = "---\napiVersion: v1\nkind: Secret\nmetadata: { name: shop-mysql-creds }\nstringData: { uri: u }\n---\n\
                       apiVersion: v1\nkind: Secret\nmetadata: { name: polaris-creds }\ndata: { uri: dQ== }\n";

#[test]
fn secrets_of_the_file_are_used_and_never_printed() {
    let secret = replaced(SECRETS, "uri: u", "uri: hunter2");
    let boot = |ran: &Ran| find(&objects(ran), "StatefulSet")["spec"]["template"]["metadata"]["annotations"].clone();
    let (assumed, given) = (render(SHOP), render(&format!("{SHOP}{secret}")));
    assert!(
        assumed.err.contains("Secret `shop-mysql-creds` is not in the file and taken to be there"),
        "{}",
        assumed.err
    );
    assert!(!given.err.contains("Secret `"), "{}", given.err);
    assert_ne!(boot(&assumed), boot(&given));
    assert!(!given.out.contains("hunter2") && !given.out.contains("kind: Secret"));
    let elsewhere = replaced(&secret, "shop-mysql-creds", "shop-mysql-creds, namespace: elsewhere");
    assert_eq!(render(&format!("{SHOP}{elsewhere}")).err.matches("is not in the file").count(), 1);
}

#[test]
fn a_suspended_pipeline_is_rendered_with_a_note() {
    let ran = render(&replaced(SHOP, "spec:\n", "spec:\n  suspend: true\n"));
    assert_eq!(ran.out, render(SHOP).out);
    assert!(
        ran.err.contains("spec.suspend: is true, so the operator would leave these objects as they are"),
        "{}",
        ran.err
    );
}

#[test]
fn pipelines_of_several_namespaces_may_share_a_name() {
    let other = replaced(SHOP, "name: shop-mysql", "name: shop-mysql\n  namespace: other");
    let objects = objects(&render(&format!("{SHOP}---\n{other}")));
    let of = |namespace: &str| objects.iter().filter(|object| object["metadata"]["namespace"] == namespace).count();
    assert_eq!((of("default"), of("other")), (8, 8));
}
