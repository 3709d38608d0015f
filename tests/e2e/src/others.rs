//! What others do to objects.

use crate::Arena;
use k8s_openapi::api::rbac::v1::{ClusterRoleBinding, PolicyRule, RoleBinding};
use kube::Api;
use kube::api::{DeleteParams, DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};
use urutau_core::{KindId, RuleSet};

impl Arena {
    /// Patches an object as a field manager that updates.
    ///
    /// # Errors
    /// What the API server says.
    pub async fn try_patch(
        &self,
        manager: &str,
        kind: &KindId,
        name: &str,
        patch: &Patch<Value>,
    ) -> kube::Result<DynamicObject> {
        let params = PatchParams { field_manager: Some(manager.to_owned()), ..PatchParams::default() };
        self.any(kind).patch(name, &params, patch).await
    }

    /// Merges this into an object as a field manager that updates.
    pub async fn merge(&self, manager: &str, kind: &KindId, name: &str, value: Value) -> DynamicObject {
        self.try_patch(manager, kind, name, &Patch::Merge(value)).await.unwrap()
    }

    /// Changes one place of an object as a field manager that updates: an operation of JSON Patch.
    pub async fn edit(
        &self,
        manager: &str,
        kind: &KindId,
        name: &str,
        op: &str,
        path: &str,
        value: Value,
    ) -> DynamicObject {
        let change = serde_json::from_value(json!([{ "op": op, "path": path, "value": value }])).unwrap();
        self.try_patch(manager, kind, name, &Patch::Json(change)).await.unwrap()
    }

    /// Deletes an object in the background.
    pub async fn delete(&self, kind: &KindId, name: &str) {
        self.any(kind).delete(name, &DeleteParams::background()).await.unwrap();
    }

    /// What is at a place of an object; null if it is not there.
    pub async fn at(&self, kind: &KindId, name: &str, path: &str) -> Value {
        let Some(object) = self.any(kind).get_opt(name).await.unwrap() else { return Value::Null };
        serde_json::to_value(object).unwrap().pointer(path).cloned().unwrap_or_default()
    }

    /// The uid of an object, if it is there.
    pub async fn uid(&self, kind: &KindId, name: &str) -> Option<String> {
        self.any(kind).get_opt(name).await.unwrap().and_then(|object| object.metadata.uid)
    }

    /// Waits until a place of an object has this value.
    pub async fn becomes(&self, kind: &KindId, name: &str, path: &str, value: &Value) {
        crate::eventually(&format!("{path} = {value} of {kind} {name}"), || async {
            let now = self.at(kind, name, path).await;
            if now == *value { Ok(()) } else { Err(now) }
        })
        .await;
    }

    /// Waits until an object is gone.
    pub async fn gone(&self, kind: &KindId, name: &str) {
        crate::eventually(&format!("end of {kind} {name}"), || async {
            let found = self.any(kind).get_opt(name).await.unwrap();
            if let Some(found) = found { Err(Box::new(found.metadata)) } else { Ok(()) }
        })
        .await;
    }

    /// Lets the operator's account do in another namespace what it may do in this one by the rules of `R`.
    pub async fn also_in<R: RuleSet>(&self, namespace: &str) {
        let name = format!("{}-operator", self.namespace);
        let binding: RoleBinding = serde_json::from_value(json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": { "name": name },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": "operator", "namespace": self.namespace }],
        }))
        .unwrap();
        let bindings: Api<RoleBinding> = Api::namespaced(self.admin.clone(), namespace);
        bindings.create(&PostParams::default(), &binding).await.unwrap();
        self.may(namespace, &R::RULES.policy_rules()).await;
    }

    /// Lets the operator's account do this in the whole cluster, besides what it may do in its namespace.
    pub async fn in_cluster(&self, rules: Vec<PolicyRule>) {
        let name = format!("{}-operator-cluster", self.namespace);
        let role = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": name },
            "rules": rules,
        });
        let binding = json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": { "name": name },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": "operator", "namespace": self.namespace }],
        });
        for object in [role, binding] {
            self.apply(&object).await;
        }
        self.may("", &rules).await;
    }

    /// Lets the operator's account do everywhere what it may do in this namespace by the rules of `R`.
    pub async fn everywhere<R: RuleSet>(&self) {
        let name = format!("{}-operator", self.namespace);
        let binding: ClusterRoleBinding = serde_json::from_value(json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": { "name": name },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": "operator", "namespace": self.namespace }],
        }))
        .unwrap();
        let bindings: Api<ClusterRoleBinding> = Api::all(self.admin.clone());
        bindings.create(&PostParams::default(), &binding).await.unwrap();
        self.may("", &R::RULES.policy_rules()).await;
    }
}
