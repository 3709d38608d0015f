//! A namespace of one test, and the operator in it.

use crate::hello::Greeter;
use crate::keda;
use crate::{Crew, Fleet, Gadget, Harbor, Relic, Widget, eventually};
use futures::FutureExt;
use k8s_openapi::api::authorization::v1::SubjectAccessReview;
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::NamespaceResourceScope;
use kube::{Client, CustomResourceExt, Resource};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;
use std::time::Duration;
use tokio::sync::{OnceCell, oneshot};
use tokio::task::JoinHandle;
use urutau_core::control_plane::{AuditMark, ControlPlane, Request, service_account_user};
use urutau_core::{Controller, Declare, KindId, OwnedSet, RuleSet};
use urutau_operator::api::CDCPipeline;

/// The field manager of whoever is not the operator.
pub const MANAGER: &str = "someone-else";
/// The account that operators run as.
const ACCOUNT: &str = "operator";

/// A namespace of one test on the control plane of the whole run.
pub struct Arena {
    /// The control plane that all tests share.
    pub plane: &'static ControlPlane,
    /// The administrator, who only arranges and inspects.
    pub admin: Client,
    /// The namespace.
    pub namespace: String,
}

/// An operator that runs; it stops when it is dropped.
pub struct Operator {
    task: JoinHandle<()>,
    end: oneshot::Sender<()>,
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Operator {
    /// Tells it to end, and waits until it has.
    pub async fn end(mut self) {
        let (other, _) = oneshot::channel();
        let _ = std::mem::replace(&mut self.end, other).send(());
        (&mut self.task).await.unwrap();
    }

    /// Stops it at once, and waits until it has.
    pub async fn stop(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }
}

impl Arena {
    /// A namespace whose name begins with `name`. Every kind of these tests is installed before the first is there: the
    /// API server's check of owner references hears only twice a minute of kinds that it does not know yet, and
    /// refuses them until then.
    pub async fn new(name: &str) -> Self {
        static KINDS: OnceCell<()> = OnceCell::const_new();
        let plane = ControlPlane::shared().await.unwrap_or_else(|error| panic!("{error:?}"));
        let kinds = [
            Widget::crd(),
            Gadget::crd(),
            Crew::crd(),
            Fleet::crd(),
            Harbor::crd(),
            Relic::crd(),
            Greeter::crd(),
            CDCPipeline::crd(),
            keda::scaled_objects(),
        ];
        KINDS.get_or_init(|| async { drop(plane.install_crds(&kinds).await.unwrap()) }).await;
        Self::in_a_namespace(plane, name).await
    }

    /// The same on a control plane of the test's own, for what changes more than a namespace. It goes with the process.
    pub async fn alone(name: &str) -> Self {
        let plane: &'static ControlPlane = Box::leak(Box::new(ControlPlane::start().await.unwrap()));
        plane.install_crds(&[CDCPipeline::crd()]).await.unwrap();
        Self::in_a_namespace(plane, name).await
    }

    async fn in_a_namespace(plane: &'static ControlPlane, name: &str) -> Self {
        let admin = plane.admin().unwrap();
        let namespace = plane.namespace(name).await.unwrap();
        Self { plane, admin, namespace }
    }

    /// Installs the CRD of a kind. The API server has to take it without a warning.
    pub async fn install<K: CustomResourceExt>(&self) {
        let warnings = self.plane.install_crds(&[K::crd()]).await.unwrap();
        assert!(warnings.is_empty(), "the API server warns of the CRD: {warnings:#?}");
    }

    /// The operator's account under exactly the rules of `R`, in this namespace.
    pub async fn account<R: RuleSet>(&self) -> Client {
        self.account_with(R::RULES.policy_rules()).await
    }

    /// The operator's account under these rules, in this namespace.
    pub async fn account_with(&self, rules: Vec<PolicyRule>) -> Client {
        let client = self.plane.service_account(&self.namespace, ACCOUNT).await.unwrap();
        let name = format!("{}-{ACCOUNT}", self.namespace);
        self.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
            "metadata": { "name": name }, "rules": &rules,
        }))
        .await;
        self.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": { "name": ACCOUNT, "namespace": self.namespace },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": ACCOUNT, "namespace": self.namespace }],
        }))
        .await;
        self.may(&self.namespace, &rules).await;
        client
    }

    /// Waits until the operator's account may do what the last of these rules on resources says, in a namespace or,
    /// where that is empty, everywhere: the API server learns of roles and bindings a moment after it has them.
    pub(crate) async fn may(&self, namespace: &str, rules: &[PolicyRule]) {
        self.until_allowed(namespace, rules, true).await;
    }

    /// Waits until it may no longer do what the last of these rules says, in this namespace.
    pub async fn may_not(&self, rules: &[PolicyRule]) {
        self.until_allowed(&self.namespace, rules, false).await;
    }

    async fn until_allowed(&self, namespace: &str, rules: &[PolicyRule], want: bool) {
        let first = |list: &Option<Vec<String>>| list.iter().flatten().next().cloned().unwrap_or_default();
        let Some(rule) = rules.iter().rfind(|rule| rule.resources.is_some()) else { return };
        let resources = first(&rule.resources);
        let (resource, subresource) = resources.split_once('/').unwrap_or((&resources, ""));
        let review: SubjectAccessReview = serde_json::from_value(json!({ "spec": {
            "user": self.user(),
            "resourceAttributes": {
                "namespace": namespace, "group": first(&rule.api_groups), "resource": resource,
                "subresource": subresource, "verb": rule.verbs.first(), "name": first(&rule.resource_names),
            },
        }}))
        .unwrap();
        let reviews: Api<SubjectAccessReview> = Api::all(self.admin.clone());
        eventually("the rights of the operator", || async {
            let status = reviews.create(&PostParams::default(), &review).await.unwrap().status.unwrap_or_default();
            if status.allowed == want { Ok(()) } else { Err(status) }
        })
        .await;
    }

    /// Starts the operator of `S` as its own account under the rules of `R`, watching this namespace.
    pub async fn operator<S: Declare, R: RuleSet>(&self, settings: S::Settings) -> Operator {
        let client = self.account::<R>().await;
        self.start::<S>(client, settings, |controller| controller)
    }

    /// Starts the operator of `S` as its own account under the rules of `R`; it looks at everything this often.
    pub async fn looking<S: Declare<Settings = ()>, R: RuleSet>(&self, every: Duration) -> Operator {
        let client = self.account::<R>().await;
        self.start::<S>(client, (), |controller| controller.resync(every))
    }

    /// Starts an operator with a client; `with` changes its settings.
    pub fn start<S: Declare>(
        &self,
        client: Client,
        settings: S::Settings,
        with: impl FnOnce(Controller<S>) -> Controller<S>,
    ) -> Operator {
        let controller =
            Controller::<S>::new(client, settings).namespaces([self.namespace.clone()]).resync(Duration::from_secs(2));
        let (end, ended) = oneshot::channel::<()>();
        let run = with(controller).run(ended.map(drop));
        let task = tokio::spawn(async move {
            if let Err(error) = run.await {
                panic!("the operator stopped: {error:?}");
            }
        });
        Operator { task, end }
    }

    /// The user that operators of this namespace are.
    pub fn user(&self) -> String {
        service_account_user(&self.namespace, ACCOUNT)
    }

    /// Everything that the operator asked for, but for what it may do.
    pub async fn requests(&self) -> Vec<Request> {
        self.plane.audited(&self.user()).await.unwrap().into_iter().filter(is_work).collect()
    }

    /// Everything that the operator asked for since a mark, but for watches.
    pub async fn since(&self, mark: AuditMark) -> Vec<Request> {
        let requests = self.plane.audited_since(mark, &self.user()).await.unwrap();
        requests.into_iter().filter(|request| request.verb != "watch" && is_work(request)).collect()
    }

    /// The writes that the operator made since a mark.
    pub async fn writes_since(&self, mark: AuditMark) -> Vec<Request> {
        let requests = self.since(mark).await;
        requests.into_iter().filter(|request| !matches!(request.verb.as_str(), "get" | "list")).collect()
    }

    /// The requests of the operator that were refused for want of a right.
    pub async fn refused(&self) -> Vec<String> {
        let refused = self.requests().await.into_iter().filter(|request| request.code == 403);
        refused.map(|request| request.to_string()).collect()
    }

    /// The objects of a kind in this namespace.
    pub fn api<K>(&self) -> Api<K>
    where
        K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>,
    {
        Api::namespaced(self.admin.clone(), &self.namespace)
    }

    /// The objects of any kind in this namespace.
    pub fn any(&self, kind: &KindId) -> Api<DynamicObject> {
        Api::namespaced_with(self.admin.clone(), &self.namespace, &kind.api_resource())
    }

    /// Applies an object as the administrator.
    pub async fn apply(&self, object: &Value) -> DynamicObject {
        self.apply_as("admin", object).await.unwrap()
    }

    /// Applies an object under a field manager, by force.
    ///
    /// # Errors
    /// What the API server says.
    pub async fn apply_as(&self, manager: &str, object: &Value) -> kube::Result<DynamicObject> {
        let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (version, kind) = (text("/apiVersion"), text("/kind"));
        let (group, version) = version.rsplit_once('/').unwrap_or(("", &version));
        let gvk = kube::core::GroupVersionKind::gvk(group, version, &kind);
        let resource = kube::core::ApiResource::from_gvk(&gvk);
        let namespaced =
            !matches!(kind.as_str(), "ClusterRole" | "ClusterRoleBinding" | "Namespace" | "Fleet" | "Harbor");
        let api: Api<DynamicObject> = if namespaced {
            Api::namespaced_with(self.admin.clone(), &self.namespace, &resource)
        } else {
            Api::all_with(self.admin.clone(), &resource)
        };
        api.patch(&text("/metadata/name"), &PatchParams::apply(manager).force(), &Patch::Apply(object)).await
    }

    /// Creates an object as the administrator.
    pub async fn create<K>(&self, object: &K) -> K
    where
        K: Resource<Scope = NamespaceResourceScope, DynamicType = ()>
            + Clone
            + Debug
            + DeserializeOwned
            + serde::Serialize,
    {
        self.api::<K>().create(&PostParams::default(), object).await.unwrap()
    }

    /// Waits until the owner's condition has this status for its newest generation, and gives the owner.
    pub async fn condition(&self, kind: &KindId, name: &str, condition: &str, status: &str) -> DynamicObject {
        let api = self.any(kind);
        eventually(&format!("{condition}={status} of {name}"), || async {
            let Some(object) = api.get_opt(name).await.unwrap() else { return Err(json!("not there")) };
            let found = condition_of(&object, condition);
            let fresh = found["observedGeneration"].as_i64() == object.metadata.generation;
            if fresh && found["status"] == status { Ok(object) } else { Err(object.data["status"].clone()) }
        })
        .await
    }

    /// Waits until the owner is ready.
    pub async fn ready<S: OwnedSet>(&self, name: &str) -> DynamicObject {
        self.condition(&KindId::of::<S::Owner>(), name, "Ready", "True").await
    }
}

/// A condition of an object, or null.
pub fn condition_of(object: &DynamicObject, condition: &str) -> Value {
    let conditions = object.data.pointer("/status/conditions").and_then(Value::as_array);
    conditions.into_iter().flatten().find(|found| found["type"] == condition).cloned().unwrap_or_default()
}

/// Whether a request is more than the question what the operator may do.
fn is_work(request: &Request) -> bool {
    request.resource != "selfsubjectaccessreviews"
}
