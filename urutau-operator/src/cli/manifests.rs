//! `manifests`: what has to be installed in a cluster.

use super::failure::Failure;
use crate::api::CDCPipeline;
use crate::objects::OperatorRules;
use clap::{Args, Subcommand};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::{Value, json};
use std::process::ExitCode;
use urutau_core::RuleSet as _;

/// The name of everything that the operator itself is installed as.
const NAME: &str = "urutau-operator";

#[derive(Debug, Args)]
pub(super) struct Manifests {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The `CustomResourceDefinition` of `CDCPipeline`.
    Crd,
    /// The operator's `ServiceAccount`, and what it may do.
    Rbac {
        /// The namespace that the operator runs in
        #[arg(long, default_value = "urutau-system", value_name = "NAMESPACE")]
        operator_namespace: String,
    },
}

impl Manifests {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let objects = match self.what {
            What::Crd => vec![serde_json::to_value(crd()).map_err(|error| Failure::because("can't write the CRD", error))?],
            What::Rbac { operator_namespace } => rbac(&operator_namespace),
        };
        for object in &objects {
            let yaml = serde_saphyr::to_string(object).map_err(|error| Failure::because("can't write YAML", error))?;
            print!("---\n{yaml}");
        }
        Ok(ExitCode::SUCCESS)
    }
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
