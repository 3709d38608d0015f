//! Roles whose rules others fill in: the controller that does it and the operator write the same object.

use super::oracle::{User, marker};
use e2e_tests::{Arena, FLEETS, Fleet, MANAGER, NEVER, OFTEN, Operator, condition_of, eventually, quiet};
use http::Method;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::rbac::v1::ClusterRole;
use kube::api::{Api, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::{Client, Resource};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::MutexGuard;
use urutau_core::control_plane::{AuditMark, Request};
use urutau_core::{Declare, Inputs, Invalid, KindId, OwnedResource, OwnedSet, RbacRules};

const API: &str = "rbac.authorization.k8s.io/v1";
/// The controller that fills in the rules.
const FILLS: &str = "clusterrole-aggregation-controller";

#[derive(RbacRules)]
#[rule(Pod, verbs(get))]
struct May;

/// A version of an operator, with its one role.
macro_rules! version {
    ($version:ident, $role:expr, $(#[$attribute:meta])* struct $fields:tt) => {
        mod $version {
            use super::*;

            #[derive(OwnedResource)]
            $(#[$attribute])*
            struct Reading $fields

            #[derive(OwnedSet)]
            #[owned_set(owner = Fleet, manager = "fleet-operator")]
            pub(super) struct Objects {
                reading: Reading,
            }

            impl Declare for Objects {
                type Settings = ();
                fn declare(_: &Fleet, _: &Inputs<Self>) -> Result<Self, Invalid> {
                    Ok(Self { reading: $role })
                }
            }
        }
    };
}

version!(plain, Reading { rules: May }, #[owned(ClusterRole, grants(May))] struct { rules: May });
version!(aggregated, Reading {}, #[owned(ClusterRole, aggregates("acme.example/of" = "{owner}"))] struct {});

#[derive(RbacRules)]
#[rbac(manages(plain::Objects, aggregated::Objects))]
#[rule(Pod, verbs(get), to_grant)]
#[rule(ClusterRole, verbs(escalate))]
struct Rules;

/// An arena with a fleet, of whose role two others are parts.
struct Field {
    arena: Arena,
    client: Client,
    _alone: MutexGuard<'static, ()>,
}

impl Field {
    async fn new(name: &str) -> Self {
        let alone = FLEETS.lock().await;
        let arena = Arena::new(name).await;
        let client = arena.account::<Rules>().await;
        arena.everywhere::<Rules>().await;
        let field = Self { arena, client, _alone: alone };
        field.part("a", &["get"]).await;
        field.part("b", &["list"]).await;
        let metadata = json!({ "name": field.name() });
        let fleet = json!({ "apiVersion": "acme.example/v1", "kind": "Fleet", "metadata": metadata, "spec": {} });
        field.arena.apply(&fleet).await;
        field
    }

    /// The name of the fleet and of its role.
    fn name(&self) -> &str {
        &self.arena.namespace
    }

    fn start<S: Declare<Settings = ()>>(&self, resync: Duration) -> Operator {
        self.arena.start::<S>(self.client.clone(), (), |controller| controller.resync(resync))
    }

    fn all<K: Resource<DynamicType = ()> + urutau_core::Kind>(&self) -> Api<DynamicObject> {
        Api::all_with(self.arena.admin.clone(), &KindId::of::<K>().api_resource())
    }

    /// A role of somebody else that is a part of the fleet's: what it grants on the things of its name.
    async fn part(&self, name: &str, verbs: &[&str]) {
        let role = json!({
            "apiVersion": API, "kind": "ClusterRole",
            "metadata": { "name": format!("{}-{name}", self.name()), "labels": { "acme.example/of": self.name() } },
            "rules": [rule(name, verbs)],
        });
        self.arena.apply(&role).await;
    }

    async fn role(&self) -> Value {
        serde_json::to_value(self.all::<ClusterRole>().get_opt(self.name()).await.unwrap()).unwrap()
    }

    /// What somebody else does to the role.
    async fn edit(&self, change: Value) {
        self.arena.next_second().await;
        let change = Patch::Json::<()>(serde_json::from_value(change).unwrap());
        let params = PatchParams { field_manager: Some(MANAGER.to_owned()), ..PatchParams::default() };
        self.all::<ClusterRole>().patch(self.name(), &params, &change).await.unwrap();
    }

    /// Waits until the role has these rules, in whatever order, and aggregates as it is declared, or not at all.
    async fn becomes(&self, rules: &[Value], aggregates: bool) -> Value {
        let said = json!({ "clusterRoleSelectors": [{ "matchLabels": { "acme.example/of": self.name() } }] });
        eventually(&format!("rules {rules:?}, aggregated: {aggregates}"), || async {
            let role = self.role().await;
            let now = role["rules"].as_array().cloned().unwrap_or_default();
            let same = now.len() == rules.len() && rules.iter().all(|rule| now.contains(rule));
            let is_said = if aggregates { role["aggregationRule"] == said } else { role["aggregationRule"].is_null() };
            if same && is_said { Ok(role) } else { Err(role) }
        })
        .await
    }

    async fn ready(&self, status: &str) -> Value {
        eventually(&format!("Ready={status}"), || async {
            let fleet = self.all::<Fleet>().get(self.name()).await.unwrap();
            let ready = condition_of(&fleet, "Ready");
            if ready["status"] == status { Ok(ready) } else { Err(ready) }
        })
        .await
    }

    /// What the operator did to roles since a mark.
    async fn writes(&self, mark: AuditMark) -> Vec<String> {
        let requests = self.arena.writes_since(mark).await.into_iter();
        let of_roles = requests.filter(|request| request.resource == "clusterroles");
        of_roles.map(|Request { verb, code, .. }| format!("{verb}: {code}")).collect()
    }

    /// Sees that over many looks at everything the operator asks for nothing.
    async fn stays_silent(&self) {
        // Whoever fills in the rules in the second of our apply leaves us in doubt, and we look by one more.
        self.arena.settled(self.arena.mark().await).await;
        let mark = self.arena.mark().await;
        quiet("a request", Duration::from_millis(1600), || self.arena.since(mark)).await;
    }

    /// Removes the fleet, and its role with it.
    async fn end(self) {
        self.all::<Fleet>().delete(self.name(), &DeleteParams::foreground()).await.unwrap();
        eventually("the end of the fleet", || async {
            let fleet = self.all::<Fleet>().get_opt(self.name()).await.unwrap().is_some();
            if fleet || !self.role().await.is_null() { Err(fleet) } else { Ok(()) }
        })
        .await;
    }
}

fn rule(name: &str, verbs: &[&str]) -> Value {
    json!({ "apiGroups": ["acme.example"], "resources": [name], "verbs": verbs })
}

fn may() -> Value {
    json!({ "apiGroups": [""], "resources": ["pods"], "verbs": ["get"] })
}

/// The managers that claim the rules of a role.
fn writers_of_rules(role: &Value) -> Vec<&str> {
    let entries = role["metadata"]["managedFields"].as_array().unwrap();
    let claims = entries.iter().filter(|entry| !entry["fieldsV1"]["f:rules"].is_null());
    claims.filter_map(|entry| entry["manager"].as_str()).collect()
}

/// Whether this was written and nothing else, except that each thing that the controller does within the second of that
/// may be answered by one more, which changes nothing: it empties the rules and fills them.
fn is_once(writes: &[String], first: &str) -> bool {
    writes.first().is_some_and(|write| write == first)
        && writes.len() <= 3
        && writes[1..].iter().all(|write| write == "patch: 200")
}

#[tokio::test]
async fn b_13_rules_that_others_fill_in_are_neither_written_nor_drift() {
    let field = Field::new("b-13").await;
    let operator = field.start::<aggregated::Objects>(OFTEN);
    let role = field.becomes(&[rule("a", &["get"]), rule("b", &["list"])], true).await;
    assert_eq!(writers_of_rules(&role), [FILLS]);
    field.ready("True").await;
    field.arena.settled(field.arena.mark().await).await;
    let mark = field.arena.mark().await;
    // The parts change, one comes and one goes, and somebody edits what comes of them.
    field.part("a", &["get", "watch"]).await;
    field.part("c", &["patch"]).await;
    let rules = [rule("a", &["get", "watch"]), rule("b", &["list"]), rule("c", &["patch"])];
    field.becomes(&rules, true).await;
    let gone = format!("{}-b", field.name());
    field.all::<ClusterRole>().delete(&gone, &DeleteParams::default()).await.unwrap();
    let rules = [rule("a", &["get", "watch"]), rule("c", &["patch"])];
    field.becomes(&rules, true).await;
    field.edit(json!([{ "op": "replace", "path": "/rules", "value": [rule("theirs", &["*"])] }])).await;
    let role = field.becomes(&rules, true).await;
    assert_eq!(writers_of_rules(&role), [FILLS]);
    field.stays_silent().await;
    assert_eq!(field.writes(mark).await, [""; 0]);
    // Made anew it is filled in anew.
    field.all::<ClusterRole>().delete(field.name(), &DeleteParams::default()).await.unwrap();
    let anew = field.becomes(&rules, true).await;
    assert_ne!(anew["metadata"]["uid"], role["metadata"]["uid"]);
    field.stays_silent().await;
    assert!(is_once(&field.writes(mark).await, "patch: 201"), "{:?}", field.writes(mark).await);
    assert_eq!(field.arena.refused().await, [""; 0]);
    operator.stop().await;
    field.end().await;
}

#[tokio::test]
async fn b_14_what_a_role_aggregates_is_repaired_and_may_be_another_in_a_new_version() {
    let field = Field::new("b-14").await;
    let operator = field.start::<aggregated::Objects>(NEVER);
    let parts = [rule("a", &["get"]), rule("b", &["list"])];
    let uid = field.becomes(&parts, true).await["metadata"]["uid"].clone();
    field.ready("True").await;
    field.arena.settled(field.arena.mark().await).await;
    let theirs = json!([{ "matchLabels": { "acme.example/of": "others" } }]);
    for change in [
        json!([{ "op": "remove", "path": "/aggregationRule" }]),
        json!([{ "op": "replace", "path": "/aggregationRule/clusterRoleSelectors", "value": theirs }]),
        json!([{ "op": "add", "path": "/aggregationRule/clusterRoleSelectors/-", "value": theirs[0] }]),
        json!([{ "op": "add", "path": "/aggregationRule/clusterRoleSelectors/0/matchLabels/x", "value": "y" }]),
    ] {
        let mark = field.arena.mark().await;
        field.edit(change.clone()).await;
        eventually("repair", || async {
            let writes = field.writes(mark).await;
            if writes.is_empty() { Err(()) } else { Ok(()) }
        })
        .await;
        field.becomes(&parts, true).await;
        field.arena.settled(mark).await;
        let writes = field.writes(mark).await;
        assert!(is_once(&writes, "patch: 200"), "{writes:?} after {change}");
    }
    operator.stop().await;
    // Another version grants by itself, and the next one aggregates again.
    for aggregates in [false, true, false] {
        let mark = field.arena.mark().await;
        let (operator, rules, writers) = if aggregates {
            (field.start::<aggregated::Objects>(OFTEN), parts.to_vec(), FILLS)
        } else {
            (field.start::<plain::Objects>(OFTEN), vec![may()], "fleet-operator")
        };
        field.becomes(&rules, aggregates).await;
        field.ready("True").await;
        field.arena.settled(mark).await;
        // What the controller had in mind before may have come later, and was put right.
        let role = field.becomes(&rules, aggregates).await;
        assert_eq!(writers_of_rules(&role), [writers]);
        assert_eq!(role["metadata"]["uid"], uid);
        field.stays_silent().await;
        operator.stop().await;
    }
    assert_eq!(field.arena.refused().await, [""; 0]);
    field.end().await;
}

#[tokio::test]
async fn b_14_the_api_server_asks_for_escalate_on_the_way_there_and_back() {
    let arena = Arena::new("b-14-escalate").await;
    let name = format!("{}-role", arena.namespace);
    let plain = json!({ "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": name }, "rules": [may()] });
    let aggregated = json!({
        "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": name },
        "aggregationRule": { "clusterRoleSelectors": [{ "matchLabels": { "acme.example/of": name } }] },
    });
    let group = "rbac.authorization.k8s.io";
    let of_roles = |verbs: Value| json!({ "apiGroups": [group], "resources": ["clusterroles"], "verbs": verbs });
    let mut elsewhere = of_roles(json!(["escalate"]));
    elsewhere["resourceNames"] = json!(["another"]);
    let everything = json!({ "apiGroups": ["*"], "resources": ["*"], "verbs": ["*"] });
    for (user, more, may_aggregate) in [
        ("everything-but", json!([of_roles(json!(["get", "patch", "delete", "bind"]))]), false),
        ("elsewhere", json!([elsewhere]), false),
        ("escalate", json!([of_roles(json!(["escalate"]))]), true),
        ("everything", json!([everything]), true),
    ] {
        let user = User { admin: &arena.admin, name: format!("{}-{user}", arena.namespace) };
        let mut rules = more.as_array().unwrap().clone();
        rules.extend([of_roles(json!(["create", "update"])), may(), json!(marker(&user.name))]);
        for object in [
            json!({ "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": user.name }, "rules": rules }),
            json!({
                "apiVersion": API, "kind": "ClusterRoleBinding", "metadata": { "name": user.name },
                "roleRef": { "apiGroup": group, "kind": "ClusterRole", "name": user.name },
                "subjects": [{ "kind": "User", "apiGroup": group, "name": user.name }],
            }),
        ] {
            arena.apply(&object).await;
        }
        user.holds("", &user.name).await;
        let path = format!("/apis/{API}/clusterroles");
        for (there, wanted, may) in [
            (&plain, &plain, true),
            (&plain, &aggregated, may_aggregate),
            (&aggregated, &aggregated, may_aggregate),
            (&aggregated, &plain, may_aggregate),
        ] {
            arena.apply(there).await;
            let (code, answer) = user.send(Method::PUT, &format!("{path}/{name}?dryRun=All"), wanted).await;
            assert_eq!(code, if may { 200 } else { 403 }, "{} from {there} to {wanted}: {answer}", user.name);
        }
    }
}
