//! A namespace of one test, and the operator in it.

use crate::widgets::{Objects, OperatorRules, Widget};
use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule, RoleBinding};
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client, CustomResourceExt};
use serde_json::{Value, json};
use std::future::Future;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use urutau_core::control_plane::{AuditMark, ControlPlane, Request, service_account_user};
use urutau_core::{Controller, Declare, RuleSet};

const DEADLINE: Duration = Duration::from_secs(30);
const ACCOUNT: &str = "operator";

pub struct Arena {
    pub plane: &'static ControlPlane,
    pub admin: Client,
    pub namespace: String,
}

pub struct Operator(JoinHandle<()>);

impl Drop for Operator {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Operator {
    pub async fn stop(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Arena {
    /// A namespace in which the operator may do what managing [`Objects`] takes.
    pub async fn new() -> Self {
        Self::with(OperatorRules::RULES.policy_rules()).await
    }

    /// A namespace in which the operator may do this.
    pub async fn with(rules: Vec<PolicyRule>) -> Self {
        if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_default_env() {
            let _ = tracing_subscriber::fmt().with_env_filter(filter).try_init();
        }
        let plane = ControlPlane::shared().await.unwrap_or_else(|error| panic!("{error:?}"));
        let admin = plane.admin().unwrap();
        let warnings = plane.install_crds(&[Widget::crd()]).await.unwrap();
        assert!(warnings.is_empty(), "{warnings:#?}");
        let namespace = plane.namespace("engine").await.unwrap();
        let arena = Self { plane, admin, namespace };
        arena.grant(rules).await;
        arena
    }

    pub fn api<K>(&self) -> Api<K>
    where
        K: kube::Resource<Scope = kube::core::NamespaceResourceScope, DynamicType = ()>,
    {
        Api::namespaced(self.admin.clone(), &self.namespace)
    }

    async fn grant(&self, rules: Vec<PolicyRule>) {
        let name = format!("{}-{ACCOUNT}", self.namespace);
        let role = json!({"metadata": {"name": name}, "rules": rules});
        let api: Api<ClusterRole> = Api::all(self.admin.clone());
        api.create(&PostParams::default(), &serde_json::from_value(role).unwrap()).await.unwrap();
        let binding = json!({
            "metadata": {"name": ACCOUNT},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": self.namespace}],
        });
        let bindings = self.api::<RoleBinding>();
        bindings.create(&PostParams::default(), &serde_json::from_value(binding).unwrap()).await.unwrap();
    }

    /// Starts the operator of [`Objects`].
    pub async fn start(&self) -> Operator {
        self.start_of::<Objects>().await
    }

    /// Starts an operator.
    pub async fn start_of<S: Declare<Settings = ()>>(&self) -> Operator {
        let client = self.plane.service_account(&self.namespace, ACCOUNT).await.unwrap();
        let controller =
            Controller::<S>::new(client, ()).namespaces([self.namespace.as_str()]).resync(Duration::from_millis(500));
        Operator(tokio::spawn(async move { controller.run(std::future::pending()).await.unwrap() }))
    }

    pub async fn widget(&self, name: &str, spec: Value) {
        let widget =
            json!({"apiVersion": "engine.example/v1", "kind": "Widget", "metadata": {"name": name}, "spec": spec});
        let params = PatchParams::apply("user").force();
        self.api::<Widget>().patch(name, &params, &Patch::Apply(&widget)).await.unwrap();
    }

    pub async fn condition(&self, name: &str, type_: &str) -> (String, String, String) {
        let widget = self.api::<Widget>().get(name).await.unwrap();
        let conditions = widget.status.unwrap_or_default().engine.conditions;
        let found = conditions.into_iter().find(|condition| condition.type_ == type_);
        found.map(|found| (format!("{:?}", found.status), found.reason, found.message)).unwrap_or_default()
    }

    pub async fn until_reason(&self, name: &str, reason: &str) -> String {
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
    pub async fn writes(&self, since: AuditMark) -> Vec<String> {
        let requests = self.requests(since).await;
        let writes = requests.into_iter().filter(|request| !matches!(request.verb.as_str(), "list" | "watch"));
        writes.map(|request| text(&request)).collect()
    }

    /// Everything that the operator was answered since the mark, but for what it may do.
    pub async fn requests(&self, since: AuditMark) -> Vec<Request> {
        let user = service_account_user(&self.namespace, ACCOUNT);
        let requests = self.plane.audited_since(since, &user).await.unwrap();
        requests.into_iter().filter(|request| request.resource != "selfsubjectaccessreviews").collect()
    }

    pub async fn mark(&self) -> AuditMark {
        self.plane.audit_mark().await.unwrap()
    }

    /// Waits until nothing is written any longer, and then for a few resyncs, in which nothing may be asked for.
    pub async fn silence(&self) {
        let start = Instant::now();
        loop {
            let mark = self.mark().await;
            tokio::time::sleep(Duration::from_millis(700)).await;
            if self.writes(mark).await.is_empty() {
                break;
            }
            assert!(start.elapsed() < DEADLINE, "it goes on and on");
        }
        let mark = self.mark().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(self.writes(mark).await, Vec::<String>::new());
    }
}

fn text(request: &Request) -> String {
    let sub = if request.subresource.is_empty() { String::new() } else { format!("/{}", request.subresource) };
    format!("{} {}{sub} {} {}", request.verb, request.resource, request.name, request.code)
}

pub async fn eventually<F: Future<Output = bool>>(what: &str, mut probe: impl FnMut() -> F) {
    let start = Instant::now();
    while !probe().await {
        assert!(start.elapsed() < DEADLINE, "not in time: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}
