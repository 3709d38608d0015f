//! Bindings whose role or subject is another in a new version of the operator. What a binding refers to can't be changed.

use e2e_tests::{Arena, Gate, MANAGER, NEVER, Widget, between, condition_of, eventually, widget};
use futures::FutureExt as _;
use http::Method;
use k8s_openapi::api::authorization::v1::SelfSubjectAccessReview;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, ListParams, PostParams};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use urutau_core::control_plane::Request;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

const WIDGET: KindId = KindId::of::<Widget>();
const ROLE: KindId = KindId::of::<Role>();
const BINDING: KindId = KindId::of::<RoleBinding>();
/// How often the account that is bound asks what it may do.
const EVERY: Duration = Duration::from_millis(20);

#[derive(RbacRules, Default)]
#[rule(Pod, verbs(get))]
struct May;

/// A version of an operator: what it calls the role, and whom it binds.
macro_rules! version {
    ($version:ident, $role:literal, $account:literal) => {
        mod $version {
            use super::{
                Declare, Inputs, Invalid, May, OwnedResource, OwnedSet, Pod, RbacRules, Role, RoleBinding, Widget,
            };

            #[derive(OwnedResource)]
            #[owned(RoleBinding, binds(Role = $role, ServiceAccount = $account))]
            struct Bound;

            #[derive(OwnedResource)]
            #[owned(Role, name = $role, grants(May))]
            struct Granted {
                rules: May,
            }

            /// The binding comes first here, and second all the same.
            #[derive(OwnedSet)]
            #[owned_set(owner = Widget, manager = "widget-operator")]
            pub(super) struct Objects {
                bound: Bound,
                granted: Granted,
            }

            #[derive(RbacRules)]
            #[rbac(manages(Objects))]
            #[rule(Pod, verbs(get), to_grant)]
            pub(super) struct Rules;

            impl Declare for Objects {
                type Settings = ();
                fn declare(_: &Widget, _: &Inputs<Self>) -> Result<Self, Invalid> {
                    Ok(Self { bound: Bound, granted: Granted { rules: May } })
                }
            }
        }
    };
}

version!(first, "{owner}", "{owner}");
version!(other_role, "{owner}-role", "{owner}");
version!(other_account, "{owner}", "{owner}-account");

/// An arena in which the first version has done its work, and was stopped.
async fn after_the_first(name: &str) -> Arena {
    let arena = Arena::new(name).await;
    let operator = arena.looking::<first::Objects, first::Rules>(NEVER).await;
    arena.apply(&widget("w1", &json!({}))).await;
    arena.ready::<first::Objects>("w1").await;
    assert_eq!(arena.at(&BINDING, "w1", "/roleRef/name").await, "w1");
    operator.stop().await;
    arena
}

/// What was done to these things, in order.
fn writes(requests: &[Request], resources: &[&str]) -> Vec<String> {
    let written = requests.iter().filter(|request| {
        resources.contains(&request.resource.as_str()) && !matches!(request.verb.as_str(), "get" | "list")
    });
    written.map(|Request { verb, resource, name, code, .. }| format!("{verb} {resource} {name}: {code}")).collect()
}

/// The notes of the events that tell of an object that was made anew.
async fn recreated(arena: &Arena) -> Vec<String> {
    let events = arena.api::<Event>().list(&ListParams::default()).await.unwrap();
    let about = events.into_iter().filter(|event| event.reason.as_deref() == Some("Recreated"));
    about.filter_map(|event| event.note).collect()
}

#[tokio::test]
async fn b_10_a_binding_to_another_role_is_made_anew() {
    let arena = after_the_first("b-10").await;
    let (before, mark) = (arena.uid(&BINDING, "w1").await, arena.mark().await);
    let _operator = arena.looking::<other_role::Objects, other_role::Rules>(NEVER).await;
    arena.becomes(&BINDING, "w1", "/roleRef/name", &json!("w1-role")).await;
    arena.gone(&ROLE, "w1").await;
    arena.ready::<other_role::Objects>("w1").await;
    assert_ne!(arena.uid(&BINDING, "w1").await, before);
    let requests = arena.settled(mark).await;
    assert_eq!(
        writes(&requests, &["roles", "rolebindings"]),
        [
            "patch roles w1-role: 201",
            "patch rolebindings w1: 422",
            "delete rolebindings w1: 200",
            "patch rolebindings w1: 201",
            "delete roles w1: 200",
        ]
    );
    let told = recreated(&arena).await;
    assert!(
        matches!(told.as_slice(), [note] if note.contains("RoleBinding `w1`") && note.contains("roleRef")),
        "{told:?}"
    );
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn b_10_a_binding_that_is_held_back_is_made_anew_when_it_is_gone() {
    let arena = after_the_first("b-10-held").await;
    arena.merge(MANAGER, &BINDING, "w1", json!({ "metadata": { "finalizers": ["acme.example/hold"] } })).await;
    let before = arena.uid(&BINDING, "w1").await;
    let _operator = arena.looking::<other_role::Objects, other_role::Rules>(NEVER).await;
    let waiting = eventually("wait for the end of the old one", || async {
        let object = arena.any(&WIDGET).get("w1").await.unwrap();
        let ready = condition_of(&object, "Ready");
        if ready["message"].as_str().is_some_and(|message| message.contains("made anew")) {
            Ok(object)
        } else {
            Err(ready)
        }
    })
    .await;
    assert_eq!(condition_of(&waiting, "Ready")["status"], "False");
    assert_eq!(arena.uid(&BINDING, "w1").await, before);
    arena.merge(MANAGER, &BINDING, "w1", json!({ "metadata": { "finalizers": null } })).await;
    arena.becomes(&BINDING, "w1", "/roleRef/name", &json!("w1-role")).await;
    arena.ready::<other_role::Objects>("w1").await;
    assert_eq!(recreated(&arena).await.len(), 1);
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn b_11a_a_binding_of_another_subject_is_changed_in_place() {
    let arena = after_the_first("b-11a").await;
    let (before, mark) = (arena.uid(&BINDING, "w1").await, arena.mark().await);
    let _operator = arena.looking::<other_account::Objects, other_account::Rules>(NEVER).await;
    arena.becomes(&BINDING, "w1", "/subjects/0/name", &json!("w1-account")).await;
    arena.ready::<other_account::Objects>("w1").await;
    assert_eq!(arena.uid(&BINDING, "w1").await, before);
    let requests = arena.settled(mark).await;
    assert_eq!(writes(&requests, &["roles", "rolebindings"]), ["patch rolebindings w1: 200"]);
    assert_eq!(recreated(&arena).await, [""; 0]);
}

/// An account that asks all the time whether it may get Pods.
struct Asking {
    stop: Arc<AtomicBool>,
    answers: JoinHandle<Vec<(Instant, bool)>>,
}

impl Asking {
    async fn start(arena: &Arena, account: &str) -> Self {
        let client = arena.plane.service_account(&arena.namespace, account).await.unwrap();
        let reviews: Api<SelfSubjectAccessReview> = Api::all(client);
        let question = json!({ "namespace": arena.namespace, "resource": "pods", "verb": "get" });
        let review = serde_json::from_value(json!({ "spec": { "resourceAttributes": question } })).unwrap();
        let ask = move || {
            let (reviews, review): (_, SelfSubjectAccessReview) = (reviews.clone(), Clone::clone(&review));
            async move { reviews.create(&PostParams::default(), &review).await.unwrap().status.unwrap().allowed }
        };
        eventually("right to get Pods", || async { if ask().await { Ok(()) } else { Err(()) } }).await;
        let stop = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&stop);
        let answers = tokio::spawn(async move {
            let (mut answers, mut ticks) = (Vec::new(), tokio::time::interval(EVERY));
            while !until.load(Ordering::SeqCst) {
                ticks.tick().await;
                let allowed = ask().await;
                answers.push((Instant::now(), allowed));
            }
            answers
        });
        Self { stop, answers }
    }

    /// The longest time from a yes to the next, with a no between them; and the number of answers.
    async fn longest_gap(self) -> (Duration, usize) {
        self.stop.store(true, Ordering::SeqCst);
        let answers = self.answers.await.unwrap();
        let (mut longest, mut last, mut refused) = (Duration::ZERO, answers[0].0, false);
        for (at, allowed) in &answers {
            if *allowed {
                if refused {
                    longest = longest.max(*at - last);
                }
                (last, refused) = (*at, false);
            } else {
                refused = true;
            }
        }
        assert!(!refused, "the right did not come back");
        (longest, answers.len())
    }
}

#[tokio::test]
async fn b_11b_the_right_is_gone_for_a_moment_only() {
    let arena = after_the_first("b-11b").await;
    let asking = Asking::start(&arena, "w1").await;
    let mark = arena.mark().await;
    let _operator = arena.looking::<other_role::Objects, other_role::Rules>(NEVER).await;
    arena.becomes(&BINDING, "w1", "/roleRef/name", &json!("w1-role")).await;
    arena.ready::<other_role::Objects>("w1").await;
    let requests = arena.settled(mark).await;
    let (gap, answers) = asking.longest_gap().await;
    let of_bindings: Vec<_> = requests.iter().filter(|request| request.resource == "rolebindings").collect();
    let at = |verb: &str, code: u16| {
        of_bindings.iter().find(|request| request.verb == verb && request.code == code).unwrap().at
    };
    let between = at("patch", 201).duration_since(at("delete", 200));
    println!("{gap:?} without the right by {answers} answers; {between:?} from the end of the old one to the new one");
    assert!(gap < Duration::from_millis(500), "{gap:?} without the right");
}

#[tokio::test]
async fn b_11c_what_was_cut_short_is_repaired_at_the_next_start() {
    let arena = after_the_first("b-11c").await;
    let client = arena.account::<other_role::Rules>().await;
    let (gate, deleted) = (Gate::default(), Arc::new(AtomicBool::new(false)));
    let held = {
        let gate = gate.clone();
        between(client.clone(), move |method, uri| {
            let of_binding = uri.path().ends_with("/rolebindings/w1");
            let holds = of_binding && *method == Method::PATCH && deleted.load(Ordering::SeqCst);
            if of_binding && *method == Method::DELETE {
                deleted.store(true, Ordering::SeqCst);
            }
            let gate = gate.clone();
            async move {
                if holds {
                    gate.pass().await;
                }
            }
            .boxed()
        })
    };
    let operator = arena.start::<other_role::Objects>(held, (), |controller| controller.resync(NEVER));
    gate.someone().await;
    assert_eq!(arena.uid(&BINDING, "w1").await, None);
    operator.stop().await;
    gate.open();
    let mark = arena.mark().await;
    assert_eq!(arena.uid(&BINDING, "w1").await, None);
    let _operator = arena.start::<other_role::Objects>(client, (), |controller| controller.resync(NEVER));
    arena.becomes(&BINDING, "w1", "/roleRef/name", &json!("w1-role")).await;
    arena.ready::<other_role::Objects>("w1").await;
    arena.gone(&ROLE, "w1").await;
    let requests = arena.settled(mark).await;
    assert_eq!(writes(&requests, &["rolebindings"]), ["patch rolebindings w1: 201"]);
    assert_eq!(arena.refused().await, [""; 0]);
}

#[tokio::test]
async fn b_11d_a_binding_of_somebody_else_stays() {
    let arena = Arena::new("b-11d").await;
    let theirs = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": { "name": "w1" },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view" },
        "subjects": [{ "kind": "ServiceAccount", "name": "theirs", "namespace": arena.namespace }],
    });
    arena.apply(&theirs).await;
    let whole = || async { serde_json::to_value(arena.any(&BINDING).get("w1").await.unwrap()).unwrap() };
    let before: Value = whole().await;
    let _operator = arena.operator::<other_role::Objects, other_role::Rules>(()).await;
    arena.apply(&widget("w1", &json!({}))).await;
    let object = arena.condition(&WIDGET, "w1", "Ready", "False").await;
    let ready = eventually("NameCollision", || async {
        let object = arena.any(&WIDGET).get("w1").await.unwrap();
        let ready = condition_of(&object, "Ready");
        if ready["reason"] == "NameCollision" { Ok(ready) } else { Err(ready) }
    })
    .await;
    assert!(ready["message"].as_str().unwrap().contains("RoleBinding `w1`"), "{ready} {object:?}");
    let requests = arena.settled(arena.mark().await).await;
    assert_eq!(writes(&requests, &["rolebindings"]), [""; 0]);
    assert_eq!(whole().await, before);
    let deletes = arena.requests().await.into_iter().filter(|request| request.verb == "delete").count();
    assert_eq!((deletes, recreated(&arena).await.len()), (0, 0));
}
