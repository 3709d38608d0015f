//! The API server, asked as a limited user: by impersonation, so that what counts is what the user holds.

use e2e_tests::eventually;
use http::{Method, Request, header};
use k8s_openapi::api::rbac::v1::PolicyRule;
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};

pub(super) const API: &str = "rbac.authorization.k8s.io/v1";

/// Asks as one user.
pub(super) struct User<'a> {
    pub(super) admin: &'a Client,
    pub(super) name: String,
}

impl User<'_> {
    /// Sends a request, and gives its status with the answer.
    pub(super) async fn send(&self, method: Method, path: &str, body: &Value) -> (u16, Value) {
        let content = if method == Method::PATCH { "application/apply-patch+yaml" } else { "application/json" };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, content)
            .header("Impersonate-User", &self.name)
            .header("Impersonate-Group", "system:authenticated")
            .body(kube::client::Body::from(serde_json::to_vec(body).unwrap()))
            .unwrap();
        let answer = self.admin.send(request).await.unwrap();
        let code = answer.status().as_u16();
        let bytes = answer.into_body().collect_bytes().await.unwrap();
        (code, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Whether the API server would take this object; it is not kept.
    pub(super) async fn takes(&self, path: &str, object: &Value) -> bool {
        self.judge(Method::POST, &format!("{path}?dryRun=All"), object).await
    }

    /// Whether it would take this object by Server-Side Apply.
    pub(super) async fn takes_applied(&self, path: &str, object: &Value) -> bool {
        let name = object["metadata"]["name"].as_str().unwrap();
        self.judge(Method::PATCH, &format!("{path}/{name}?dryRun=All&fieldManager=test"), object).await
    }

    async fn judge(&self, method: Method, path: &str, object: &Value) -> bool {
        let (code, answer) = self.send(method, path, object).await;
        match code {
            // What is written is judged after the right to write it.
            201 | 422 => true,
            403 => false,
            code => panic!("{path}: {code} {answer}"),
        }
    }

    /// Gives the user these rules, in a namespace or in the whole cluster, and waits until they count. `place` tells one
    /// gift from the next.
    pub(super) async fn give(&self, place: &str, rules: &[PolicyRule], namespace: Option<&str>) {
        let name = format!("{}-{place}", self.name);
        let rules = [rules, &[marker(place)]].concat();
        let role = json!({ "apiVersion": API, "kind": "ClusterRole", "metadata": { "name": name }, "rules": rules });
        let kind = if namespace.is_some() { "RoleBinding" } else { "ClusterRoleBinding" };
        let binding = json!({
            "apiVersion": API, "kind": kind, "metadata": { "name": name, "namespace": namespace },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
            "subjects": [{ "kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": self.name }],
        });
        arrange(self.admin, &role).await;
        arrange(self.admin, &binding).await;
        self.holds(namespace.unwrap_or_default(), place).await;
    }

    /// Waits until the authorizer has seen a role: that is when it gives the marker that was put into it.
    pub(super) async fn holds(&self, namespace: &str, marker: &str) {
        let review = json!({
            "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
            "spec": { "resourceAttributes": {
                "group": "marker.example", "resource": "markers", "verb": "get", "name": marker, "namespace": namespace,
            }},
        });
        eventually("right of the user", || async {
            let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
            let (code, answer) = self.send(Method::POST, path, &review).await;
            if code == 201 && answer["status"]["allowed"] == true { Ok(()) } else { Err(answer["status"].clone()) }
        })
        .await;
    }
}

/// Writes a role or a binding as the administrator, wherever it says that it lives.
pub(super) async fn arrange(admin: &Client, object: &Value) {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str);
    let gvk = GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", text("/kind").unwrap());
    let resource = ApiResource::from_gvk(&gvk);
    let api: Api<DynamicObject> = match text("/metadata/namespace") {
        Some(namespace) => Api::namespaced_with(admin.clone(), namespace, &resource),
        None => Api::all_with(admin.clone(), &resource),
    };
    let params = PatchParams::apply("admin").force();
    api.patch(text("/metadata/name").unwrap(), &params, &Patch::Apply(object)).await.unwrap();
}

/// A rule that nothing asks for, to see that the others have arrived.
pub(super) fn marker(name: &str) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec!["marker.example".to_owned()]),
        resources: Some(vec!["markers".to_owned()]),
        resource_names: Some(vec![name.to_owned()]),
        verbs: vec!["get".to_owned()],
        non_resource_urls: None,
    }
}
