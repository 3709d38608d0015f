//! The engine on a real API server, as an account with the derived rules and nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use k8s_openapi::api::events::v1::Event;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::{Api, Client, CustomResource, CustomResourceExt, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::future::Future;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use urutau_core::control_plane::{ControlPlane, Request, service_account_user};
use urutau_core::{
    Controller, Declare, Hold, Inputs, Invalid, Kind, OwnedResource, OwnedSet, RbacRules, Report, RuleSet, Status,
    Waiting,
};

#[derive(CustomResource, Kind, Serialize, Deserialize, schemars::JsonSchema, Clone, Debug)]
#[kube(group = "engine.example", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
#[serde(rename_all = "camelCase")]
pub struct WidgetSpec {
    text: String,
    #[serde(default)]
    extras: Vec<String>,
    /// A Secret that has to be there.
    secret: Option<String>,
    #[serde(default)]
    suspended: bool,
}

#[derive(Serialize, Deserialize, schemars::JsonSchema, Clone, Debug, Default)]
#[serde(rename_all = "camelCase")]
pub struct WidgetStatus {
    #[serde(flatten)]
    engine: Status,
    phase: Option<String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Config {
    #[at(data["text"])]
    text: String,
}

#[derive(OwnedResource)]
#[owned(Deployment, ready)]
#[set(spec { replicas = 1, template.spec.containers["server"].image = "nginx" })]
pub struct Server {
    #[at(spec.selector.match_labels, spec.template.metadata.labels)]
    labels: BTreeMap<String, String>,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
#[set(data["note"] = "the server is ready")]
pub struct Note;

#[derive(OwnedResource)]
#[owned(ConfigMap, name = "{owner}-extra-{extra}")]
pub struct Extra {
    #[at(data["extra"])]
    extra: String,
}

#[derive(OwnedResource)]
#[owned(ConfigMap)]
pub struct Copy {
    #[at(data["password"])]
    password: String,
}

#[derive(OwnedSet)]
#[owned_set(owner = Widget, manager = "widget-operator", name = "{owner}", reads(Secret))]
#[owned_set(labels("widget" = "{owner}"))]
pub struct Objects {
    config: Config,
    #[member(after(config))]
    server: Server,
    #[member(name = "{owner}-note", after(server))]
    note: Note,
    extras: Vec<Extra>,
    #[member(name = "{owner}-copy")]
    copy: Option<Result<Copy, Waiting>>,
}

#[derive(RbacRules)]
#[rbac(manages(Objects))]
pub struct OperatorRules;

impl Declare for Objects {
    type Settings = ();

    fn declare(owner: &Widget, inputs: &Inputs<()>) -> Result<Self, Invalid> {
        if owner.spec.text == "invalid" {
            return Err(Invalid::new("spec.text", "is not valid"));
        }
        let copy = owner.spec.secret.as_deref().map(|name| {
            let secret = inputs.get::<Secret>(name)?;
            let password = secret.data.as_ref().and_then(|data| data.get("password")).cloned().unwrap_or_default();
            Ok(Copy { password: String::from_utf8(password.0).unwrap_or_default() })
        });
        Ok(Self {
            config: Config { text: owner.spec.text.clone() },
            server: Server { labels: BTreeMap::from([("app".to_owned(), owner.name_any())]) },
            note: Note,
            extras: owner.spec.extras.iter().map(|extra| Extra { extra: extra.clone() }).collect(),
            copy,
        })
    }

    fn hold(owner: &Widget, (): &()) -> Option<Hold> {
        owner.spec.suspended.then(|| Hold::new("Suspended", "spec.suspended is set"))
    }

    fn status(_: &Widget, report: &Report) -> impl Serialize {
        json!({ "phase": if report.is_ready() { "Up" } else { "Pending" }, "nothing": null })
    }
}

const DEADLINE: Duration = Duration::from_secs(30);
const ACCOUNT: &str = "operator";

struct Arena {
    plane: &'static ControlPlane,
    admin: Client,
    namespace: String,
}

struct Operator(JoinHandle<()>);

impl Drop for Operator {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Operator {
    async fn stop(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Arena {
    async fn new() -> Self {
        if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_default_env() {
            let _ = tracing_subscriber::fmt().with_env_filter(filter).try_init();
        }
        let plane = ControlPlane::shared().await.unwrap_or_else(|error| panic!("{error:?}"));
        let admin = plane.admin().unwrap();
        let warnings = plane.install_crds(&[Widget::crd()]).await.unwrap();
        assert!(warnings.is_empty(), "{warnings:#?}");
        let namespace = plane.namespace("engine").await.unwrap();
        let arena = Self { plane, admin, namespace };
        arena.grant().await;
        arena
    }

    fn api<K>(&self) -> Api<K>
    where
        K: kube::Resource<Scope = kube::core::NamespaceResourceScope, DynamicType = ()>,
    {
        Api::namespaced(self.admin.clone(), &self.namespace)
    }

    async fn grant(&self) {
        let name = format!("{}-{ACCOUNT}", self.namespace);
        let role = json!({"metadata": {"name": name}, "rules": OperatorRules::RULES.policy_rules()});
        let roles: Api<k8s_openapi::api::rbac::v1::ClusterRole> = Api::all(self.admin.clone());
        roles.create(&PostParams::default(), &serde_json::from_value(role).unwrap()).await.unwrap();
        let binding = json!({
            "metadata": {"name": ACCOUNT},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": self.namespace}],
        });
        let bindings = self.api::<k8s_openapi::api::rbac::v1::RoleBinding>();
        bindings.create(&PostParams::default(), &serde_json::from_value(binding).unwrap()).await.unwrap();
    }

    async fn start(&self) -> Operator {
        let client = self.plane.service_account(&self.namespace, ACCOUNT).await.unwrap();
        let controller = Controller::<Objects>::new(client, ())
            .namespaces([self.namespace.as_str()])
            .resync(Duration::from_millis(500));
        Operator(tokio::spawn(async move { controller.run(std::future::pending()).await.unwrap() }))
    }

    async fn widget(&self, name: &str, spec: Value) {
        let widget =
            json!({"apiVersion": "engine.example/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec});
        let params = PatchParams::apply("user").force();
        self.api::<Widget>().patch(name, &params, &Patch::Apply(&widget)).await.unwrap();
    }

    async fn condition(&self, name: &str, type_: &str) -> (String, String, String) {
        let widget = self.api::<Widget>().get(name).await.unwrap();
        let conditions = widget.status.unwrap_or_default().engine.conditions;
        let found = conditions.into_iter().find(|condition| condition.type_ == type_);
        found.map(|found| (format!("{:?}", found.status), found.reason, found.message)).unwrap_or_default()
    }

    async fn until_reason(&self, name: &str, reason: &str) -> String {
        let mut last = Default::default();
        let what = format!("{name}: {reason}");
        let start = Instant::now();
        while start.elapsed() < DEADLINE {
            last = self.condition(name, "Ready").await;
            let widget = self.api::<Widget>().get(name).await.unwrap();
            let observed = widget.status.as_ref().and_then(|status| status.engine.observed_generation);
            if last.1 == reason && observed == widget.metadata.generation {
                return last.2;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("not in time: {what}; last {last:?}");
    }

    /// Everything but reading that the operator was answered since the mark.
    async fn writes(&self, since: urutau_core::control_plane::AuditMark) -> Vec<String> {
        let requests = self.requests(since).await;
        let writes = requests.into_iter().filter(|request| !matches!(request.verb.as_str(), "list" | "watch"));
        writes.map(|request| text(&request)).collect()
    }

    async fn requests(&self, since: urutau_core::control_plane::AuditMark) -> Vec<Request> {
        let user = service_account_user(&self.namespace, ACCOUNT);
        self.plane.audited_since(since, &user).await.unwrap()
    }

    async fn mark(&self) -> urutau_core::control_plane::AuditMark {
        self.plane.audit_mark().await.unwrap()
    }

    /// Waits for a few resyncs, in which nothing may be asked for or written.
    async fn silence(&self) {
        let mark = self.mark().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(self.writes(mark).await, Vec::<String>::new());
    }
}

fn text(request: &Request) -> String {
    let sub = if request.subresource.is_empty() { String::new() } else { format!("/{}", request.subresource) };
    format!("{} {}{sub} {} {}", request.verb, request.resource, request.name, request.code)
}

async fn eventually<F: Future<Output = bool>>(what: &str, mut probe: impl FnMut() -> F) {
    let start = Instant::now();
    while !probe().await {
        assert!(start.elapsed() < DEADLINE, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

#[tokio::test]
async fn each_object_is_written_once_and_then_there_is_silence() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let mark = arena.mark().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["a", "b"]})).await;
    arena.until_reason("w1", "Ready").await;
    let writes = arena.writes(mark).await;
    assert_eq!(
        sorted(writes),
        [
            "patch configmaps w1 201",
            "patch configmaps w1-extra-a 201",
            "patch configmaps w1-extra-b 201",
            "patch configmaps w1-note 201",
            "patch deployments w1 201",
            "patch widgets/status w1 200",
            "patch widgets/status w1 200",
        ]
    );
    arena.silence().await;
    let widget = arena.api::<Widget>().get("w1").await.unwrap();
    let status = widget.status.unwrap();
    assert_eq!((status.phase.as_deref(), status.engine.owned.len()), (Some("Up"), 5));
    assert_eq!(status.engine.observed_generation, widget.metadata.generation);
    assert_eq!(arena.condition("w1", "ObjectsApplied").await.2, "5 objects are as declared");
    let refused = arena.requests(mark).await.into_iter().filter(|request| request.code >= 400).count();
    assert_eq!(refused, 0);
}

#[tokio::test]
async fn a_restart_with_nothing_changed_writes_nothing() {
    let arena = Arena::new().await;
    let operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    operator.stop().await;

    let mark = arena.mark().await;
    let operator = arena.start().await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(arena.writes(mark).await, Vec::<String>::new());
    let lists = arena.requests(mark).await.into_iter().filter(|request| request.verb == "list").count();
    assert_eq!(lists, 4, "widgets, configmaps, deployments, secrets");
    operator.stop().await;

    // What changed while nobody looked is written, and nothing else.
    let data = json!({"data": {"text": "theirs"}});
    arena.api::<ConfigMap>().patch("w1", &PatchParams::default(), &Patch::Merge(&data)).await.unwrap();
    arena.api::<ConfigMap>().delete("w1-note", &DeleteParams::default()).await.unwrap();
    let owners = json!({"metadata": {"ownerReferences": null}});
    arena.api::<ConfigMap>().patch("w1-extra-a", &PatchParams::default(), &Patch::Merge(&owners)).await.unwrap();
    let mark = arena.mark().await;
    let _operator = arena.start().await;
    eventually("everything is written", || async { arena.writes(mark).await.len() >= 4 }).await;
    arena.silence().await;
    assert_eq!(
        sorted(arena.writes(mark).await),
        [
            "patch configmaps w1 200",
            "patch configmaps w1-extra-a 200",
            "patch configmaps w1-note 201",
            "patch widgets/status w1 200",
        ]
    );
}

#[tokio::test]
async fn drift_is_repaired_and_what_is_foreign_stays() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello"})).await;
    arena.until_reason("w1", "Ready").await;
    let (maps, deployments) = (arena.api::<ConfigMap>(), arena.api::<Deployment>());

    // Foreign fields are no reason to write.
    let foreign =
        json!({"metadata": {"labels": {"theirs": "x"}, "annotations": {"theirs": "y"}}, "data": {"theirs": "z"}});
    maps.patch("w1", &PatchParams::default(), &Patch::Merge(&foreign)).await.unwrap();
    deployments
        .patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"metadata": {"labels": {"theirs": "x"}}})))
        .await
        .unwrap();
    arena.silence().await;

    let text = |text: &str| {
        let (maps, text) = (maps.clone(), text.to_owned());
        async move { maps.get("w1").await.is_ok_and(|map| map.data.unwrap_or_default().get("text") == Some(&text)) }
    };
    // By an update.
    let mark = arena.mark().await;
    maps.patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"data": {"text": "theirs"}}))).await.unwrap();
    eventually("the update is repaired", || text("hello")).await;
    // By an apply under our own name, which shows in nothing but the time; twice in one second.
    for value in ["one", "two"] {
        let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "w1"}, "data": {"text": value}});
        maps.patch("w1", &PatchParams::apply("widget-operator").force(), &Patch::Apply(&map)).await.unwrap();
        eventually("the apply is repaired", || text("hello")).await;
    }
    // By removing a label, the owner reference, or the managed fields.
    let patches = [
        json!({"metadata": {"labels": {"widget": null}}}),
        json!({"metadata": {"ownerReferences": null}}),
        json!({"metadata": {"managedFields": [{}]}, "data": {"text": "x"}}),
    ];
    for patch in patches {
        maps.patch("w1", &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap();
        eventually("metadata is repaired", || async {
            let map = maps.get("w1").await.unwrap();
            let managed = map.managed_fields().iter().any(|entry| entry.manager.as_deref() == Some("widget-operator"));
            map.labels().get("widget").is_some() && map.owner_references().len() == 1 && managed && text("hello").await
        })
        .await;
    }
    // By deleting it.
    let uid = deployments.get("w1").await.unwrap().uid();
    deployments.delete("w1", &DeleteParams::default()).await.unwrap();
    eventually("the deployment is there again, and the owner says so", || async {
        let again = deployments.get_opt("w1").await.unwrap().and_then(|deployment| deployment.uid());
        let status = arena.api::<Widget>().get("w1").await.unwrap().status.unwrap().engine;
        again.is_some() && again != uid && status.owned.iter().any(|record| Some(&record.uid) == again.as_ref())
    })
    .await;
    arena.until_reason("w1", "Ready").await;
    let map = maps.get("w1").await.unwrap();
    assert_eq!(map.data.clone().unwrap_or_default().get("theirs").map(String::as_str), Some("z"));
    assert_eq!(map.labels().get("theirs").map(String::as_str), Some("x"));
    arena.silence().await;
    let writes = arena.writes(mark).await;
    let patches = writes.iter().filter(|write| write.starts_with("patch configmaps w1 ")).count();
    assert!((6..=8).contains(&patches), "six changes, and doubts about two: {writes:#?}");
}

#[tokio::test]
async fn what_is_no_longer_declared_is_removed_and_nothing_else() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let maps = arena.api::<ConfigMap>();
    let look_alike: ConfigMap =
        serde_json::from_value(json!({"metadata": {"name": "w1-extra-c", "labels": {"widget": "w1"}}})).unwrap();
    maps.create(&PostParams::default(), &look_alike).await.unwrap();
    arena.widget("w1", json!({"text": "hello", "extras": ["a", "b"]})).await;
    arena.until_reason("w1", "Ready").await;
    let mark = arena.mark().await;
    arena.widget("w1", json!({"text": "hello", "extras": ["b"]})).await;
    eventually("it is gone", || async { maps.get_opt("w1-extra-a").await.unwrap().is_none() }).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
    assert_eq!(sorted(arena.writes(mark).await), ["delete configmaps w1-extra-a 200", "patch widgets/status w1 200"]);
    assert!(maps.get_opt("w1-extra-b").await.unwrap().is_some());
    assert!(maps.get_opt("w1-extra-c").await.unwrap().is_some());

    arena.api::<Widget>().delete("w1", &DeleteParams::foreground()).await.unwrap();
    eventually("everything is gone", || async {
        let left = maps.list(&kube::api::ListParams::default()).await.unwrap();
        let left: Vec<_> = left.iter().map(ResourceExt::name_any).collect();
        left.iter().all(|name| name == "w1-extra-c" || name == "kube-root-ca.crt")
    })
    .await;
}

#[tokio::test]
async fn an_object_of_somebody_else_is_left_alone_until_it_goes() {
    let arena = Arena::new().await;
    let maps = arena.api::<ConfigMap>();
    let theirs: ConfigMap =
        serde_json::from_value(json!({"metadata": {"name": "w1"}, "data": {"text": "theirs"}})).unwrap();
    maps.create(&PostParams::default(), &theirs).await.unwrap();
    let _operator = arena.start().await;
    arena.widget("w1", json!({"text": "hello"})).await;
    let message = arena.until_reason("w1", "NameCollision").await;
    assert_eq!(message, "ConfigMap `w1` is there already and belongs to nobody; it is left as it is");
    arena.silence().await;
    assert_eq!(maps.get("w1").await.unwrap().data.unwrap_or_default().get("text").map(String::as_str), Some("theirs"));
    let events = arena.api::<Event>().list(&kube::api::ListParams::default()).await.unwrap();
    let ours: Vec<_> = events.iter().filter(|event| event.reason.as_deref() == Some("NameCollision")).collect();
    assert_eq!(ours.len(), 1);

    maps.delete("w1", &DeleteParams::default()).await.unwrap();
    arena.until_reason("w1", "Ready").await;
    assert_eq!(maps.get("w1").await.unwrap().data.unwrap_or_default().get("text").map(String::as_str), Some("hello"));
}

#[tokio::test]
async fn an_object_that_is_read_is_waited_for_and_followed() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let (maps, secrets) = (arena.api::<ConfigMap>(), arena.api::<Secret>());
    arena.widget("w1", json!({"text": "hello", "secret": "db"})).await;
    let message = arena.until_reason("w1", "SecretMissing").await;
    assert_eq!(message, format!("Secret `{}/db` is not there", arena.namespace));
    let copy = |want: &'static str| {
        let maps = maps.clone();
        async move {
            let map = maps.get_opt("w1-copy").await.unwrap();
            map.is_some_and(|map| map.data.unwrap_or_default().get("password").map(String::as_str) == Some(want))
        }
    };
    let secret = |password: &str| -> Secret {
        serde_json::from_value(json!({"metadata": {"name": "db"}, "stringData": {"password": password}})).unwrap()
    };
    secrets.create(&PostParams::default(), &secret("one")).await.unwrap();
    eventually("the secret is used", || copy("one")).await;
    arena.until_reason("w1", "Ready").await;
    let mark = arena.mark().await;
    secrets.patch("db", &PatchParams::default(), &Patch::Merge(&secret("two"))).await.unwrap();
    eventually("the secret is followed", || copy("two")).await;
    arena.silence().await;
    assert_eq!(
        sorted(arena.writes(mark).await),
        ["get secrets db 200", "patch configmaps w1-copy 200", "patch widgets/status w1 200",]
    );
    // While it is not there, what was made of it stays.
    secrets.delete("db", &DeleteParams::default()).await.unwrap();
    arena.until_reason("w1", "SecretMissing").await;
    assert!(copy("two").await);
}

#[tokio::test]
async fn an_invalid_or_suspended_owner_is_left_as_it_runs() {
    let arena = Arena::new().await;
    let _operator = arena.start().await;
    let maps = arena.api::<ConfigMap>();
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    for (spec, reason) in
        [(json!({"text": "invalid"}), "Invalid"), (json!({"text": "x", "suspended": true}), "Suspended")]
    {
        let mark = arena.mark().await;
        arena.widget("w1", spec).await;
        arena.until_reason("w1", reason).await;
        maps.patch("w1", &PatchParams::default(), &Patch::Merge(&json!({"data": {"text": reason}}))).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let writes = arena.writes(mark).await;
        let others: Vec<_> = writes.iter().filter(|write| !write.contains("events")).collect();
        assert_eq!(others, ["patch widgets/status w1 200"], "{reason}");
        assert!(maps.get_opt("w1-extra-a").await.unwrap().is_some());
    }
    let status = arena.api::<Widget>().get("w1").await.unwrap().status.unwrap();
    assert_eq!(status.engine.owned.len(), 4, "what it owns is not forgotten");
    arena.widget("w1", json!({"text": "hello", "extras": ["a"]})).await;
    arena.until_reason("w1", "Ready").await;
    arena.silence().await;
}
