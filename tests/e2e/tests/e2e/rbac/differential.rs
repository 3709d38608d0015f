//! Our algebra against the API server: both answer thousands of generated questions, and agree on every one.

use super::generate::{self, Case};
use super::oracle::{API, User};
use e2e_tests::{Arena, Dice, cases};
use futures::stream::{self, StreamExt as _};
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, PolicyRule};
use kube::Api;
use kube::api::ListParams;
use serde_json::{Value, json};
use urutau_core::rbac::{Held, RoleRef};

const ALL: usize = 2000;
const AT_ONCE: usize = 24;

#[tokio::test]
async fn our_answers_are_those_of_the_api_server() {
    let arena = Arena::new("differential").await;
    let other = arena.plane.namespace("elsewhere").await.unwrap();
    let everyone = everyone(&arena).await;
    let mut dice = Dice::of("differential");
    let number = cases(ALL);
    let all: Vec<_> = (0..number).map(|i| (i, dice.fork())).collect();
    let counts = stream::iter(all)
        .map(|(i, mut dice)| {
            let (arena, other, everyone) = (&arena, other.as_str(), everyone.as_slice());
            async move { Question::new(arena, other, i, generate::case(&mut dice)).ask(everyone).await }
        })
        .buffer_unordered(AT_ONCE)
        .collect::<Vec<_>>()
        .await;
    let answers: usize = counts.iter().map(|count| count.answers).sum();
    let yes: usize = counts.iter().map(|count| count.yes).sum();
    println!("{number} cases, {answers} answers, {yes} of them yes");
    // Both answers have to be common, or chance is weighted wrongly.
    assert!(yes * 5 > answers && (answers - yes) * 5 > answers, "{yes} of {answers}");
}

/// What everyone who is authenticated holds anyway.
async fn everyone(arena: &Arena) -> Vec<PolicyRule> {
    let bound: Api<ClusterRoleBinding> = Api::all(arena.admin.clone());
    let there: Api<ClusterRole> = Api::all(arena.admin.clone());
    let mut rules = Vec::new();
    for binding in bound.list(&ListParams::default()).await.unwrap() {
        let to_all = binding.subjects.iter().flatten().any(|subject| subject.name == "system:authenticated");
        if to_all {
            rules.extend(there.get(&binding.role_ref.name).await.unwrap().rules.unwrap_or_default());
        }
    }
    assert!(!rules.is_empty());
    rules
}

/// How often was answered, and how often with yes.
struct Count {
    answers: usize,
    yes: usize,
}

struct Question<'a> {
    arena: &'a Arena,
    other: &'a str,
    name: String,
    case: Case,
}

impl<'a> Question<'a> {
    fn new(arena: &'a Arena, other: &'a str, i: usize, case: Case) -> Self {
        Self { arena, other, name: format!("{}-{i}", arena.namespace), case }
    }

    async fn ask(self, everyone: &[PolicyRule]) -> Count {
        let user = User { admin: &self.arena.admin, name: self.name.clone() };
        let held = self.arrange(&user, everyone).await;
        let (here, granted) = (self.arena.namespace.as_str(), &self.case.granted);
        let roles = format!("/apis/{API}/namespaces/{here}/roles");
        let cluster_roles = format!("/apis/{API}/clusterroles");
        let mut count = Count { answers: 0, yes: 0 };
        let mut compare = |what: &str, ours: Vec<PolicyRule>, theirs: bool| {
            let show = |rules: &[PolicyRule]| serde_json::to_string_pretty(rules).unwrap();
            assert_eq!(
                ours.is_empty(),
                theirs,
                "{what} of case {}: the API server says {theirs}; held everywhere {}, here {}, granted {}, missing {}",
                self.name,
                show(&self.case.held.everywhere),
                show(&self.case.held.here),
                show(granted),
                show(&ours)
            );
            count.answers += 1;
            count.yes += usize::from(theirs);
        };
        // The name is one that `escalate` and `bind` may be limited to.
        let role =
            |kind: &str| json!({ "apiVersion": API, "kind": kind, "metadata": { "name": "g" }, "rules": granted });
        for (what, path, namespace) in [("Role", &roles, Some(here)), ("ClusterRole", &cluster_roles, None)] {
            // A POST has no name, an apply has.
            let ours = held.missing_to_write(namespace, None, granted);
            compare(what, ours, user.takes(path, &role(what)).await);
            let ours = held.missing_to_write(namespace, Some("g"), granted);
            compare(what, ours, user.takes_applied(path, &role(what)).await);
        }
        let aggregated = json!({
            "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": "g" },
            "aggregationRule": { "clusterRoleSelectors": [{ "matchLabels": { "a": "b" } }] },
        });
        let ours = held.missing_to_aggregate(None);
        compare("aggregated ClusterRole", ours, user.takes(&cluster_roles, &aggregated).await);
        let ours = held.missing_to_aggregate(Some("g"));
        compare("aggregated ClusterRole", ours, user.takes_applied(&cluster_roles, &aggregated).await);
        // A role that is there already, to be bound: it has this case's own name.
        let bound = json!({
            "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": self.bound() }, "rules": granted,
        });
        self.arena.apply(&bound).await;
        let name = self.bound();
        let bindings = format!("/apis/{API}/namespaces/{here}/rolebindings");
        let ours = held.missing_to_bind(Some(here), RoleRef::ClusterRole(&name), granted);
        compare("RoleBinding", ours, user.takes(&bindings, &self.binding("RoleBinding")).await);
        let bindings = format!("/apis/{API}/clusterrolebindings");
        let ours = held.missing_to_bind(None, RoleRef::ClusterRole(&name), granted);
        compare("ClusterRoleBinding", ours, user.takes(&bindings, &self.binding("ClusterRoleBinding")).await);
        count
    }

    fn bound(&self) -> String {
        format!("{}-bound", self.name)
    }

    fn binding(&self, kind: &str) -> Value {
        json!({
            "apiVersion": API, "kind": kind, "metadata": { "name": "b" },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": self.bound() },
            "subjects": [{ "kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "someone" }],
        })
    }

    /// Gives the user what the case says, and waits until it counts.
    async fn arrange(&self, user: &User<'_>, everyone: &[PolicyRule]) -> Held {
        let writes = PolicyRule {
            api_groups: Some(vec!["rbac.authorization.k8s.io".to_owned()]),
            resources: Some(
                ["roles", "clusterroles", "rolebindings", "clusterrolebindings"].map(str::to_owned).to_vec(),
            ),
            verbs: vec!["create".to_owned(), "patch".to_owned()],
            ..PolicyRule::default()
        };
        let case = &self.case.held;
        let with = |rules: &[PolicyRule], more: &[PolicyRule]| [rules, more].concat();
        let everywhere = with(&case.everywhere, &[writes]);
        let (here, elsewhere) = (case.here.clone(), case.elsewhere.clone());
        let namespace = &self.arena.namespace;
        for (place, rules, namespace) in [
            ("everywhere", &everywhere, None),
            ("here", &here, Some(namespace.as_str())),
            ("elsewhere", &elsewhere, Some(self.other)),
        ] {
            user.give(place, rules, namespace).await;
        }
        Held::everywhere(with(&everywhere, everyone)).and_within(namespace, here).and_within(self.other, elsewhere)
    }
}
