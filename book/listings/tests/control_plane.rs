//! The smallest operator on a real control plane, with nothing but the framework's own harness.
#![allow(missing_docs)]

use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::runtime::wait::await_condition;
use kube::{Client, CustomResourceExt};
use serde_json::json;
use std::time::Duration;
use urutau_core::{ConditionStatus, RuleSet};

/// The operator that the book begins with.
#[allow(dead_code)]
#[path = "../../../examples/hello/src/main.rs"]
mod hello;
use hello::{Greeter, GreeterSpec, Objects, OperatorRules};

type Outcome = Result<(), Box<dyn std::error::Error>>;

// ANCHOR: test
use urutau_core::Controller;
use urutau_core::control_plane::{ControlPlane, service_account_user};

#[tokio::test]
async fn a_greeter_gets_its_page() -> Outcome {
    // One control plane for the whole process, a namespace for each test.
    let plane = ControlPlane::shared().await?;
    let namespace = plane.namespace("greeter").await?;
    let warnings = plane.install_crds(&[Greeter::crd()]).await?;
    assert!(warnings.is_empty(), "{warnings:?}");

    // The operator has its own account, and the rules that its declaration comes to: no others.
    let admin = plane.admin()?;
    let client = plane.service_account(&namespace, "operator").await?;
    grant(&admin, &namespace).await?;
    let operator = Controller::<Objects>::new(client, ()).namespaces([&namespace]);
    let operator = tokio::spawn(operator.run(std::future::pending()));

    // The administrator is the user who wants a page.
    let greeters = Api::<Greeter>::namespaced(admin.clone(), &namespace);
    let greeter = Greeter::new("world", GreeterSpec { greeting: "hello".to_owned() });
    greeters.create(&PostParams::default(), &greeter).await?;
    let ready = await_condition(greeters, "world", |greeter: Option<&Greeter>| greeter.is_some_and(is_ready));
    tokio::time::timeout(Duration::from_secs(60), ready).await??;
    let page = Api::<ConfigMap>::namespaced(admin, &namespace).get("world").await?;
    assert_eq!(page.data.unwrap_or_default()["index.html"], "hello");
    // ANCHOR_END: test

    // ANCHOR: audit
    // Nothing that it asked for was refused, and while all is well it writes nothing.
    let user = service_account_user(&namespace, "operator");
    let refused = plane.audited(&user).await?.into_iter().filter(|request| request.code == 403).count();
    assert_eq!(refused, 0);
    let mark = plane.audit_mark().await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let sent = plane.audited_since(mark, &user).await?;
    assert!(sent.iter().all(|request| request.verb == "watch"), "{sent:#?}");
    // ANCHOR_END: audit
    operator.abort();
    Ok(())
}

// ANCHOR: grant
/// A Role with the rules of the operator, bound to its account.
async fn grant(admin: &Client, namespace: &str) -> Outcome {
    let rules = OperatorRules::RULES.policy_rules();
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
        "metadata": { "name": "operator" }, "rules": rules,
    });
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
        "metadata": { "name": "operator" },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "operator" },
        "subjects": [{ "kind": "ServiceAccount", "name": "operator", "namespace": namespace }],
    });
    let params = PatchParams::apply("test");
    Api::<Role>::namespaced(admin.clone(), namespace).patch("operator", &params, &Patch::Apply(role)).await?;
    Api::<RoleBinding>::namespaced(admin.clone(), namespace).patch("operator", &params, &Patch::Apply(binding)).await?;
    Ok(())
}
// ANCHOR_END: grant

/// Whether the condition `Ready` holds.
fn is_ready(greeter: &Greeter) -> bool {
    let conditions = greeter.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    conditions.iter().any(|condition| condition.type_ == "Ready" && condition.status == ConditionStatus::True)
}
