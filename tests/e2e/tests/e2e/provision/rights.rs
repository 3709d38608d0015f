//! What the coordinator's token is good for: its own Role, and what everybody may do. Nothing else, tried one by one.

use super::{POD, WORKERS, pod, running};
use crate::pipeline::{COORDINATOR, NAME};
use e2e_tests::Arena;
use futures::stream::{self, StreamExt as _};
use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, PolicyRule, Role};
use kube::Api;
use kube::api::{ListParams, PostParams};
use serde_json::json;
use std::collections::BTreeSet;
use urutau_core::control_plane::service_account_user;
use urutau_core::rbac::{Verbs, covers};

/// How many questions there are at the same time.
const AT_ONCE: usize = 32;

/// One question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ask {
    group: String,
    /// With the subresource.
    resource: String,
    verb: &'static str,
    name: Option<&'static str>,
    namespace: String,
}

impl Ask {
    fn rule(&self) -> PolicyRule {
        PolicyRule {
            api_groups: Some(vec![self.group.clone()]),
            resources: Some(vec![self.resource.clone()]),
            resource_names: self.name.map(|name| vec![name.to_owned()]),
            verbs: vec![self.verb.to_owned()],
            non_resource_urls: None,
        }
    }
}

/// What all accounts may do: the roles that are bound to the groups that every account is in.
async fn everybodys(arena: &Arena) -> Vec<PolicyRule> {
    let everybody = ["system:authenticated", "system:serviceaccounts", "system:unauthenticated"];
    let bindings: Api<ClusterRoleBinding> = Api::all(arena.admin.clone());
    let of_cluster: Api<ClusterRole> = Api::all(arena.admin.clone());
    let mut rules = Vec::new();
    for binding in bindings.list(&ListParams::default()).await.unwrap() {
        let of_everybody = binding.subjects.iter().flatten().any(|subject| everybody.contains(&subject.name.as_str()));
        if of_everybody {
            rules.extend(of_cluster.get(&binding.role_ref.name).await.unwrap().rules.unwrap_or_default());
        }
    }
    rules
}

/// Every resource with its subresources, as the API server has them, and what only rules know.
async fn resources(arena: &Arena) -> BTreeSet<(String, String)> {
    let mut resources = BTreeSet::new();
    let groups = arena.admin.list_api_groups().await.unwrap().groups;
    let versions = groups.iter().filter_map(|group| Some(group.preferred_version.as_ref()?.group_version.clone()));
    for version in versions {
        let list = arena.admin.list_api_group_resources(&version).await.unwrap();
        let group = version.rsplit_once('/').map(|(group, _)| group.to_owned()).unwrap_or_default();
        resources.extend(list.resources.into_iter().map(|resource| (group.clone(), resource.name)));
    }
    let core = arena.admin.list_core_api_resources("v1").await.unwrap();
    resources.extend(core.resources.into_iter().map(|resource| (String::new(), resource.name)));
    for virtual_resource in ["users", "groups", "serviceaccounts"] {
        resources.insert((String::new(), virtual_resource.to_owned()));
    }
    resources
}

async fn may(arena: &Arena, ask: &Ask) -> bool {
    let (resource, subresource) = ask.resource.split_once('/').unwrap_or((&ask.resource, ""));
    let account = &arena.namespace;
    let review: SubjectAccessReview = serde_json::from_value(json!({ "spec": {
        "user": service_account_user(account, COORDINATOR),
        "groups": ["system:serviceaccounts", format!("system:serviceaccounts:{account}"), "system:authenticated"],
        "resourceAttributes": {
            "namespace": ask.namespace, "group": ask.group, "resource": resource, "subresource": subresource,
            "verb": ask.verb, "name": ask.name.unwrap_or_default(),
        },
    } }))
    .unwrap();
    let reviews: Api<SubjectAccessReview> = Api::all(arena.admin.clone());
    reviews.create(&PostParams::default(), &review).await.unwrap().status.unwrap_or_default().allowed
}

#[tokio::test]
async fn the_token_can_do_nothing_else() {
    let (arena, _operator) = running("token").await;
    pod(&arena, None).await;
    let everybodys = everybodys(&arena).await;
    let own = arena.api::<Role>().get(COORDINATOR).await.unwrap().rules.unwrap();
    let held = [everybodys.clone(), own.clone()].concat();
    // Its own names, those of another pipeline, and none at all, which is every object.
    let names = [None, Some(NAME), Some(POD), Some(WORKERS[1]), Some("other"), Some("other-coordinator-0")];
    let mut asks = Vec::new();
    for (group, resource) in resources(&arena).await {
        for verb in Verbs::ALL.names().into_iter().filter(|verb| *verb != "*") {
            for name in names {
                asks.push(Ask {
                    group: group.clone(),
                    resource: resource.clone(),
                    verb,
                    name,
                    namespace: arena.namespace.clone(),
                });
            }
            // In another namespace, and in the whole cluster.
            for namespace in ["default", ""] {
                asks.push(Ask {
                    group: group.clone(),
                    resource: resource.clone(),
                    verb,
                    name: None,
                    namespace: namespace.to_owned(),
                });
            }
        }
    }
    assert!(asks.len() > 8000, "{} questions", asks.len());
    let wrong: Vec<Ask> = stream::iter(&asks)
        .map(|ask| async {
            let here = ask.namespace == arena.namespace;
            let expected = covers(if here { &held } else { &everybodys }, &[ask.rule()]);
            (may(&arena, ask).await != expected).then(|| ask.clone())
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(|wrong| async { wrong })
        .collect()
        .await;
    assert!(wrong.is_empty(), "{wrong:#?}");
    // The Role is as narrow as the specification says.
    let beyond: BTreeSet<(String, String)> = asks
        .iter()
        .filter(|ask| covers(&own, &[ask.rule()]) && !covers(&everybodys, &[ask.rule()]))
        .map(|ask| (format!("{} {}", ask.verb, ask.resource), ask.name.unwrap_or("any").to_owned()))
        .collect();
    let expected = [
        ("create deployments", vec!["any", NAME, POD, WORKERS[1], "other", "other-coordinator-0"]),
        ("get cdcpipelines", vec![NAME]),
        ("get cdcpipelines/status", vec![NAME]),
        ("get deployments", vec![WORKERS[1]]),
        ("get pods", vec![POD]),
        ("patch cdcpipelines/status", vec![NAME]),
        ("update cdcpipelines/status", vec![NAME]),
        ("update deployments", vec![WORKERS[1]]),
    ];
    let expected =
        expected.iter().flat_map(|(what, names)| names.iter().map(|name| ((*what).to_owned(), (*name).to_owned())));
    assert_eq!(beyond, expected.collect());
}
