//! Owners without a namespace that own what lives in none. One test: operators of one such kind see each other's owners.

use e2e_tests::{Arena, Harbor, NEVER, condition_of, eventually};
use k8s_openapi::api::core::v1::{ConfigMap, ObjectReference};
use k8s_openapi::api::events::v1::Event;
use k8s_openapi::api::rbac::v1::ClusterRole;
use kube::Api;
use kube::api::{DeleteParams, DynamicObject, ListParams};
use serde_json::{Value, json};
use urutau_core::rbac::Place;
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules, RuleSet as _};

#[derive(RbacRules)]
#[rule(ConfigMap, verbs(get))]
#[rule(urls("/metrics", "/metrics/*"), verbs(get))]
struct Reads;

#[derive(OwnedResource)]
#[owned(ClusterRole, grants(Reads))]
struct Reader {
    rules: Reads,
}

#[derive(OwnedSet)]
#[owned_set(owner = Harbor, manager = "harbor-operator")]
struct Objects {
    /// Called after its owner: no other has it.
    own: Reader,
    /// Every owner wants it, and the first has it.
    #[member(name = "b-22-shared")]
    shared: Reader,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
#[rule(ConfigMap, verbs(get), to_grant)]
#[rule(urls("/metrics*"), verbs(get), to_grant)]
struct Rules;

impl Declare for Objects {
    type Settings = ();
    fn declare(_: &Harbor, _: &Inputs<Self>) -> Result<Self, Invalid> {
        Ok(Self { own: Reader { rules: Reads }, shared: Reader { rules: Reads } })
    }
}

struct Harbors {
    api: Api<DynamicObject>,
    roles: Api<ClusterRole>,
}

impl Harbors {
    async fn ready(&self, name: &str, status: &str) -> Value {
        eventually(&format!("Ready={status} of {name}"), || async {
            let ready = condition_of(&self.api.get(name).await.unwrap(), "Ready");
            if ready["status"] == status { Ok(ready) } else { Err(ready) }
        })
        .await
    }

    async fn uid(&self, role: &str) -> Option<String> {
        self.roles.get_opt(role).await.unwrap().and_then(|role| role.metadata.uid)
    }

    async fn end(&self, name: &str) {
        self.api.delete(name, &DeleteParams::foreground()).await.unwrap();
        eventually(&format!("end of {name}"), || async {
            if self.api.get_opt(name).await.unwrap().is_none() { Ok(()) } else { Err(()) }
        })
        .await;
    }
}

#[tokio::test]
async fn b_22_two_owners_share_no_object_and_b_12_what_is_told_of_them_is_in_default() {
    let arena = Arena::new("b-22").await;
    let api = Api::all_with(arena.admin.clone(), &KindId::of::<Harbor>().api_resource());
    let harbors = Harbors { api, roles: Api::all(arena.admin.clone()) };
    // The whole of it is held in the cluster, what is told in `default` too, and nothing in a namespace.
    assert_eq!(Rules::RULES.policy_rules_of(Place::Namespaces), []);
    let client = arena.account_with(Vec::new()).await;
    arena.in_cluster(Rules::RULES.policy_rules_of(Place::Cluster)).await;
    let _operator = arena.start::<Objects>(client, (), |controller| controller.holds::<Rules>().resync(NEVER));
    let [a, b] = ["a", "b"].map(|end| format!("{}-{end}", arena.namespace));
    let harbor = |name: &str| json!({ "apiVersion": "acme.example/v1", "kind": "Harbor", "metadata": { "name": name }, "spec": {} });
    arena.apply(&harbor(&a)).await;
    harbors.ready(&a, "True").await;
    let granted = serde_json::to_value(harbors.roles.get(&a).await.unwrap().rules).unwrap();
    assert_eq!(granted[1], json!({ "nonResourceURLs": ["/metrics", "/metrics/*"], "verbs": ["get"] }), "B-03");
    arena.apply(&harbor(&b)).await;
    let collision = harbors.ready(&b, "False").await;
    let message = collision["message"].as_str().unwrap();
    assert_eq!(collision["reason"], "NameCollision", "{collision}");
    assert!(message.contains("b-22-shared") && message.contains(&a), "{message}");
    let (shared, own_a) = (harbors.uid("b-22-shared").await, harbors.uid(&a).await);
    assert!(shared.is_some() && own_a.is_some() && harbors.uid(&b).await.is_some());

    let events: Api<Event> = Api::all(arena.admin.clone());
    eventually("an event", || async {
        let regards = |it: &ObjectReference| it.name.as_deref() == Some(b.as_str());
        let events = events.list(&ListParams::default()).await.unwrap().items;
        let about = events.into_iter().filter(|event| event.regarding.as_ref().is_some_and(regards));
        let told: Vec<_> = about.map(|event| (event.metadata.namespace, event.reason)).collect();
        let expected = (Some("default".to_owned()), Some("NameCollision".to_owned()));
        if told == [expected] { Ok(()) } else { Err(told) }
    })
    .await;

    // The end of one takes what is its own.
    harbors.end(&b).await;
    eventually("end of its role", || async { if harbors.uid(&b).await.is_none() { Ok(()) } else { Err(()) } }).await;
    assert_eq!((harbors.uid("b-22-shared").await, harbors.uid(&a).await), (shared, own_a));
    harbors.ready(&a, "True").await;
    harbors.end(&a).await;
    assert_eq!(arena.refused().await, [""; 0]);
}
