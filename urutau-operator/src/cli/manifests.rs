//! `manifests`: what has to be installed in a cluster.

use super::failure::Failure;
use super::output;
use crate::api::CDCPipeline;
use crate::objects::OperatorRules;
use clap::{Args, Subcommand};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::{Value, json};
use std::error::Error;
use std::process::ExitCode;
use urutau_core::RuleSet as _;

/// The name of everything that the operator itself is installed as.
const NAME: &str = "urutau-operator";
/// The namespace that the operator is installed in, unless another is asked for.
const NAMESPACE: &str = "urutau-system";
/// What writes the committed files.
const WRITTEN: &str =
    "# Written by `cargo run -p xtask --features manifests -- manifests`: change the types it is made from.\n";

#[derive(Debug, Args)]
pub(super) struct Manifests {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The CustomResourceDefinition of CDCPipeline
    Crd,
    /// The operator's ServiceAccount, and what it may do
    Rbac {
        /// The namespace that the operator runs in
        #[arg(long, default_value = NAMESPACE, value_name = "NAMESPACE", value_parser = super::namespace)]
        operator_namespace: String,
    },
}

impl Manifests {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let text = match self.what {
            What::Crd => output::yaml(&[crd()])?,
            What::Rbac { operator_namespace } => output::yaml(&rbac(&operator_namespace))?,
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The committed manifests: the paths, from the root of the repository, and what has to stand there.
///
/// # Errors
/// When one can't be written as YAML.
pub fn committed() -> Result<[(&'static str, String); 2], Box<dyn Error + Send + Sync>> {
    let text = |yaml: Result<String, Failure>| match yaml {
        Ok(yaml) => Ok(format!("{WRITTEN}{yaml}")),
        Err(failure) => Err(failure.to_string()),
    };
    Ok([
        ("deploy/crd.yaml", text(output::yaml(&[crd()]))?),
        ("deploy/rbac.yaml", text(output::yaml(&rbac(NAMESPACE)))?),
    ])
}

/// The `CustomResourceDefinition` of `CDCPipeline`.
pub fn crd() -> CustomResourceDefinition {
    CDCPipeline::crd()
}

/// What the operator may do in the whole cluster: derived from what it manages.
pub fn cluster_role() -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": { "name": NAME, "labels": labels() },
        "rules": OperatorRules::RULES.policy_rules(),
    })
}

/// The operator's account, its role, and the binding of the two.
pub fn rbac(namespace: &str) -> Vec<Value> {
    let account = json!({
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": { "name": NAME, "namespace": namespace, "labels": labels() },
    });
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": { "name": NAME, "labels": labels() },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME },
        "subjects": [{ "kind": "ServiceAccount", "name": NAME, "namespace": namespace }],
    });
    vec![account, cluster_role(), binding]
}

fn labels() -> Value {
    json!({ "app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "urutau" })
}
