//! A namespace of one test, and the operator in it.

use crate::eventually;
use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule, RoleBinding};
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::NamespaceResourceScope;
use kube::{Client, CustomResourceExt, Resource};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;
use std::time::Duration;
use tokio::task::JoinHandle;
use urutau_core::control_plane::{AuditMark, ControlPlane, Request, service_account_user};
use urutau_core::{Controller, Declare, KindId, OwnedSet, RuleSet};

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
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Operator {
    /// Stops it, and waits until it has.
    pub async fn stop(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }
}

impl Arena {
    /// A namespace whose name begins with `name`.
    pub async fn new(name: &str) -> Self {
        let plane = ControlPlane::shared().await.unwrap_or_else(|error| panic!("{error:?}"));
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
            "metadata": { "name": name }, "rules": rules,
        }))
        .await;
        self.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": { "name": ACCOUNT, "namespace": self.namespace },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": ACCOUNT, "namespace": self.namespace }],
        }))
        .await;
        let (roles, bindings): (Api<ClusterRole>, Api<RoleBinding>) =
            (Api::all(self.admin.clone()), Api::namespaced(self.admin.clone(), &self.namespace));
        assert!(roles.get_opt(&name).await.unwrap().is_some() && bindings.get_opt(ACCOUNT).await.unwrap().is_some());
        client
    }

    /// Starts the operator of `S` as its own account under the rules of `R`, watching this namespace.
    pub async fn operator<S: Declare, R: RuleSet>(&self, settings: S::Settings) -> Operator {
        let client = self.account::<R>().await;
        self.start::<S>(client, settings, |controller| controller)
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
        let run = with(controller).run(std::future::pending());
        let task = tokio::spawn(async move {
            if let Err(error) = run.await {
                panic!("the operator stopped: {error:?}");
            }
        });
        Operator { task }
    }

    /// The user that operators of this namespace are.
    pub fn user(&self) -> String {
        service_account_user(&self.namespace, ACCOUNT)
    }

    /// Everything that the operator asked for.
    pub async fn requests(&self) -> Vec<Request> {
        self.plane.audited(&self.user()).await.unwrap()
    }

    /// Everything that the operator asked for since a mark, but for watches.
    pub async fn since(&self, mark: AuditMark) -> Vec<Request> {
        let requests = self.plane.audited_since(mark, &self.user()).await.unwrap();
        requests.into_iter().filter(|request| request.verb != "watch").collect()
    }

    /// The writes that the operator made since a mark.
    pub async fn writes_since(&self, mark: AuditMark) -> Vec<Request> {
        let requests = self.since(mark).await;
        requests.into_iter().filter(|request| !matches!(request.verb.as_str(), "get" | "list")).collect()
    }

    /// Whether any request of the operator was refused for want of a right.
    pub async fn refused(&self) -> Vec<Request> {
        self.requests().await.into_iter().filter(|request| request.code == 403).collect()
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
        let namespaced = !matches!(kind.as_str(), "ClusterRole" | "ClusterRoleBinding" | "Namespace");
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
