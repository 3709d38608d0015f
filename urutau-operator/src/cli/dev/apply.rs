//! Bringing objects to the control plane as its administrator.

use crate::console::Failure;
use kube::Client;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind, TypeMeta};
use serde_json::{Value, json};

/// Creates a namespace unless it is there.
pub(super) async fn namespace(client: &Client, name: &str) -> Result<(), Failure> {
    let namespace = json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
    object(client, &namespace, "").await
}

/// Applies an object; one without a namespace goes to `namespace`, where its kind has one.
pub(super) async fn object(client: &Client, object: &Value, namespace: &str) -> Result<(), Failure> {
    let types: TypeMeta = serde_json::from_value(object.clone())
        .map_err(|error| Failure::because("apiVersion and kind are missing", error))?;
    let kind = types.kind.clone();
    let gvk = GroupVersionKind::try_from(types).map_err(|error| Failure::because("apiVersion can't be read", error))?;
    let resource = ApiResource::from_gvk(&gvk);
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let cluster_scoped = matches!(kind.as_str(), "Namespace" | "ClusterRole" | "ClusterRoleBinding");
    let api: Api<DynamicObject> = if cluster_scoped {
        Api::all_with(client.clone(), &resource)
    } else {
        let own = object.pointer("/metadata/namespace").and_then(Value::as_str);
        if let Some(own) = own.filter(|own| *own != namespace) {
            Box::pin(self::namespace(client, own)).await?;
        }
        Api::namespaced_with(client.clone(), own.unwrap_or(namespace), &resource)
    };
    let applied = api.patch(&name, &PatchParams::apply("urutau-dev").force(), &Patch::Apply(object)).await;
    applied.map(drop).map_err(|error| Failure::because(format!("{kind} `{name}` was not taken"), error))
}
