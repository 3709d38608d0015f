//! The resources that rules are checked against are those that an API server serves.

use e2e_tests::Arena;
use http::Request;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use urutau_core::rbac::RESOURCES;

/// What is served by no path of its own, and stands in rules all the same: kubelets, impersonation, signers, and what
/// other versions serve.
const ONLY_IN_RULES: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "groups",
            "nodes/checkpoint",
            "nodes/configz",
            "nodes/healthz",
            "nodes/log",
            "nodes/metrics",
            "nodes/pods",
            "nodes/spec",
            "nodes/stats",
            "users",
        ],
    ),
    ("apps", &["deployments/rollback"]),
    ("authentication.k8s.io", &["uids", "userextras"]),
    ("certificates.k8s.io", &["signers"]),
    ("resource.k8s.io", &["resourceclaims/binding", "resourceclaims/driver"]),
];

#[tokio::test]
async fn b_05_the_known_resources_are_those_that_are_served() {
    let arena = Arena::new("b-05").await;
    let get = |path: String| {
        let admin = &arena.admin;
        async move { admin.request::<Value>(Request::get(path).body(Vec::new()).unwrap()).await.unwrap() }
    };
    let mut served: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut add = |group: &str, list: Value| {
        let names = list["resources"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned());
        served.entry(group.to_owned()).or_default().extend(names);
    };
    add("", get("/api/v1".to_owned()).await);
    for group in get("/apis".to_owned()).await["groups"].as_array().unwrap() {
        let name = group["name"].as_str().unwrap();
        for version in group["versions"].as_array().unwrap() {
            add(name, get(format!("/apis/{}", version["groupVersion"].as_str().unwrap())).await);
        }
    }
    let known: BTreeMap<&str, BTreeSet<String>> = RESOURCES
        .iter()
        .map(|(group, resources)| {
            let names = resources.iter().flat_map(|(resource, subs)| {
                subs.iter().map(move |sub| format!("{resource}/{sub}")).chain([(*resource).to_owned()])
            });
            (*group, names.collect())
        })
        .collect();
    // Custom resources come and go.
    let own = |group: &str| !group.contains('.') || group.ends_with(".k8s.io");
    for (group, served) in served.iter().filter(|(group, _)| own(group)) {
        let known = known.get(group.as_str()).cloned().unwrap_or_default();
        let unknown: Vec<_> = served.difference(&known).collect();
        assert!(unknown.is_empty(), "the table lacks {unknown:?} of `{group}`");
    }
    // What is served by default is all of it; what is not is served when it is asked for, or belongs to rules alone.
    for (group, names) in ONLY_IN_RULES {
        for name in *names {
            assert!(known[group].contains(*name), "{name} of `{group}` is not in the table");
            assert!(!served.get(*group).is_some_and(|served| served.contains(*name)), "{name} of `{group}` is served");
        }
    }
    let always = ["", "apps", "autoscaling", "batch", "policy", "rbac.authorization.k8s.io"];
    for group in always {
        let only = ONLY_IN_RULES.iter().filter(|(other, _)| *other == group).flat_map(|(_, names)| *names);
        let only: BTreeSet<String> = only.map(|&name| name.to_owned()).collect();
        let more: Vec<_> = known[group].difference(&served[group]).filter(|name| !only.contains(*name)).collect();
        assert!(more.is_empty(), "nobody serves {more:?} of `{group}`");
    }
}
