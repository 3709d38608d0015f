//! `manifests`: what has to be installed in a cluster.

use super::run::Namespaces;
use crate::api::CDCPipeline;
use crate::console::{Failure, output};
use crate::objects::OperatorRules;
use clap::{Args, Subcommand};
use k8s_openapi::api::rbac::v1::PolicyRule;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt as _;
use serde_json::{Value, json};
use std::error::Error;
use std::process::ExitCode;
use urutau_core::RuleSet as _;
use urutau_core::rbac::{Place, end_user_roles, role_in};

/// The name of everything that the operator itself is installed as.
pub(super) const NAME: &str = "urutau-operator";
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
        /// The namespaces that it is to watch, with commas between them; the whole cluster where none is given
        #[arg(long, value_name = "NAMESPACES")]
        namespace: Option<Namespaces>,
    },
}

impl Manifests {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let text = match self.what {
            What::Crd => output::yaml(&[crd()])?,
            What::Rbac { operator_namespace, namespace } => {
                let namespaces = namespace.map(|namespace| namespace.0);
                // An unset variable must not come to the rights on the whole cluster.
                if namespaces.as_ref().is_some_and(Vec::is_empty) {
                    return Err(Failure::new("--namespace names no namespace; leave it out for the whole cluster"));
                }
                output::yaml(&written(rbac(&operator_namespace, &namespaces.unwrap_or_default()))?)?
            }
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
        ("deploy/rbac.yaml", text(written(rbac(NAMESPACE, &[])).and_then(|objects| output::yaml(&objects)))?),
    ])
}

fn written(objects: serde_json::Result<Vec<Value>>) -> Result<Vec<Value>, Failure> {
    objects.map_err(|error| Failure::because("can't write a role", error))
}

/// The `CustomResourceDefinition` of `CDCPipeline`.
pub fn crd() -> CustomResourceDefinition {
    CDCPipeline::crd()
}

/// The operator's account, what it may do, and what the people of the cluster may do with pipelines.
///
/// With `namespaces` there is a Role in each of them, and nothing for the whole cluster but what lives in no namespace.
///
/// # Errors
/// When an object can't be written as JSON.
pub fn rbac(operator: &str, namespaces: &[String]) -> serde_json::Result<Vec<Value>> {
    let mut objects = vec![json!({
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": { "name": NAME, "namespace": operator, "labels": labels() },
    })];
    let rules = OperatorRules::RULES;
    let everywhere = if namespaces.is_empty() { rules.policy_rules() } else { rules.policy_rules_of(Place::Cluster) };
    if !everywhere.is_empty() {
        objects.extend(role(operator, None, &everywhere));
    }
    for namespace in namespaces {
        objects.extend(role(operator, Some(namespace), &rules.policy_rules_of(Place::Namespaces)));
    }
    for role in end_user_roles::<CDCPipeline>() {
        objects.push(serde_json::to_value(role)?);
    }
    Ok(objects)
}

/// A role with these rules, and the binding of the operator's account to it.
fn role(operator: &str, namespace: Option<&str>, rules: &[PolicyRule]) -> [Value; 2] {
    let (kind, name) = match namespace {
        Some(namespace) => ("Role", role_in(NAME, namespace)),
        None => ("ClusterRole", NAME.to_owned()),
    };
    let metadata = || match namespace {
        Some(namespace) => json!({ "name": name, "namespace": namespace, "labels": labels() }),
        None => json!({ "name": name, "labels": labels() }),
    };
    let version = "rbac.authorization.k8s.io/v1";
    [
        json!({ "apiVersion": version, "kind": kind, "metadata": metadata(), "rules": rules }),
        json!({
            "apiVersion": version,
            "kind": format!("{kind}Binding"),
            "metadata": metadata(),
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name },
            "subjects": [{ "kind": "ServiceAccount", "name": NAME, "namespace": operator }],
        }),
    ]
}

fn labels() -> Value {
    json!({ "app.kubernetes.io/name": NAME, "app.kubernetes.io/part-of": "urutau" })
}
