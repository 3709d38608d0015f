//! What the listings come to: the YAML that the book shows is what is sent.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use book_listings::declare::Settings;
use book_listings::rules::{OperatorRules, SiteViewers};
use book_listings::set::SiteObjects;
use book_listings::site::{Site, SiteSpec};
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::rbac::v1::ClusterRole;
use serde_json::{Value, json};
use std::path::Path;
use urutau_core::plan::Content;
use urutau_core::{Declare, Inputs, Names, OwnedSet, Part, RuleSet, render_part};
use urutau_operator::api::CDCPipeline;
use urutau_operator::coordinator::{Bounds, Config, Kept, Plan, assign, keep};
use urutau_operator::objects::PipelineObjects;

/// The operator that the book begins with.
#[allow(dead_code)]
#[path = "../../../examples/hello/src/main.rs"]
mod hello;

/// Compares a text with the committed one; with `UPDATE_BOOK` set it is written.
fn rendered(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rendered").join(name);
    if std::env::var_os("UPDATE_BOOK").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, text, "{name} is out of date: UPDATE_BOOK=1 cargo test -p book-listings");
}

fn yaml(value: &Value) -> String {
    serde_saphyr::to_string(value).unwrap()
}

/// The bodies of a set, by member.
fn bodies<S: OwnedSet>(set: &S, owner: &str) -> Vec<(String, Value)> {
    let plan = set.plan(owner, "team-a").unwrap();
    let body = |content| match content {
        Content::Object(item) => item.body,
        Content::Waiting(held) => panic!("{}", held.waiting),
    };
    plan.entries.into_iter().map(|entry| (entry.member, body(entry.content))).collect()
}

fn body<S: OwnedSet>(set: &S, owner: &str, member: &str) -> Value {
    bodies(set, owner).into_iter().find(|(name, _)| name == member).unwrap().1
}

fn map<const N: usize>(entries: [(&str, &str); N]) -> std::collections::BTreeMap<String, String> {
    entries.map(|(key, value)| (key.to_owned(), value.to_owned())).into()
}

fn site() -> Site {
    let spec = SiteSpec {
        image: "web:1".to_owned(),
        pages: map([("index.html", "hello")]),
        greetings: map([("de", "Guten Tag"), ("pt", "Bom dia")]),
        moved: map([("old", "/new")]),
        ..SiteSpec::default()
    };
    Site::new("home", spec)
}

#[test]
fn what_is_named_is_what_is_sent() {
    let site = SiteObjects::declare(&site(), &Inputs::new(Settings::default())).unwrap();
    for (member, file) in
        [("service", "service.yaml"), ("server", "server.yaml"), ("publishing.pages.editor.role", "role.yaml")]
    {
        rendered(file, &yaml(&body(&site, "home", member)));
    }
}

#[test]
fn an_aggregated_role_has_no_rules() {
    rendered("aggregated.yaml", &yaml(&of::<ClusterRole, _>(&SiteViewers)));
}

#[test]
fn every_object_has_its_member_kind_and_name() {
    let site = SiteObjects::declare(&site(), &Inputs::new(Settings::default())).unwrap();
    let line = |(member, body): (String, Value)| {
        format!("{member:<36} {:<15} {}\n", body["kind"].as_str().unwrap(), body["metadata"]["name"].as_str().unwrap())
    };
    let lines: Vec<_> = bodies(&site, "home").into_iter().map(line).collect();
    rendered("members.txt", &lines.concat());
}

#[test]
fn the_operators_rules_are_what_it_manages_and_what_it_hands_on() {
    rendered("operator-rules.yaml", &yaml(&json!({ "rules": OperatorRules::RULES.policy_rules() })));
}

#[test]
fn the_first_page_is_what_the_smallest_operator_makes() {
    let text = include_str!("../manifests/greeter.yaml");
    let greeter: hello::Greeter = serde_saphyr::from_str(text).unwrap();
    let objects = hello::Objects::declare(&greeter, &Inputs::new(())).unwrap();
    let documents: Vec<_> = bodies(&objects, "world").iter().map(|(_, body)| yaml(body)).collect();
    rendered("hello.yaml", &documents.join("---\n"));
    rendered("hello-rules.yaml", &yaml(&json!({ "rules": hello::OperatorRules::RULES.policy_rules() })));
}

#[test]
fn a_terminated_pipeline_says_how_it_is_cleared() {
    let terminated = json!({
        "apiVersion": "urutau.io/v1alpha1", "kind": "CDCPipeline",
        "metadata": { "name": "shop-mysql", "namespace": "shop" }, "spec": {},
        "status": { "terminated": { "reason": "SourceGone", "message": "the binary log is gone" } },
    });
    let pipeline: CDCPipeline = serde_json::from_value(terminated).unwrap();
    let message = PipelineObjects::hold(&pipeline, &urutau_operator::objects::Settings::default()).unwrap().message;
    let command = message.split_once("kubectl").unwrap().1;
    rendered("clear-terminated.txt", &format!("kubectl{command}\n"));
}

/// The plan of the example with these bounds, what is kept of it, and what the same says of another number.
#[test]
fn the_workers_of_the_example_and_their_keys() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plan");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let example = include_str!("../../../examples/shop-mysql.yaml");
    let settings = urutau_operator::objects::Settings::default();
    let objects = urutau_operator::cli::render(Path::new("shop-mysql.yaml"), example, &settings).objects;
    let config = objects.iter().find(|object| object["kind"] == "ConfigMap").unwrap();
    for (file, text) in config["data"].as_object().unwrap() {
        std::fs::write(folder.join(file), text.as_str().unwrap()).unwrap();
    }

    let config = Config::read(&folder).unwrap();
    let bounds = serde_saphyr::from_str(include_str!("../manifests/bounds.yaml")).unwrap();
    let bounds = Bounds::parse(&bounds, &config).unwrap();
    let mut kept = Kept::read(&folder).unwrap();
    let assigned = assign(&config, &kept, &bounds).unwrap();
    rendered("plan.txt", &Plan::new(&config, &kept, &assigned).to_string());
    keep(&mut kept, &config, &bounds).unwrap();
    rendered("key-ranges.json", &std::fs::read_to_string(kept.file()).unwrap());
}

#[test]
fn keys_are_sent_with_their_defaults() {
    let server = book_listings::objects::NameServer { contact: "dns@example.com".to_owned(), admin_port: 8053 };
    rendered("keys.yaml", &yaml(&of::<Service, _>(&server)));
}

fn of<K, P>(part: &P) -> Value
where
    K: serde::Serialize + serde::de::DeserializeOwned + 'static,
    P: Part<K>,
{
    render_part::<K, P>(part, &Names::new("home", "team-a", "home-web")).unwrap()
}
