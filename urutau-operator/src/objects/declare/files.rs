//! The files that the coordinator is given.

use super::{Pipeline, args};
use crate::api::{CDCPipeline, CDCPipelineSpec, State};
use crate::definition::Table;
use crate::objects::worker::{PodIndex, WorkerFiles};
use crate::objects::{Boot, Credentials, Hardened, HardenedContainer, WorkerPod, selector};
use crate::workers::{IS_ELASTIC, TableWorkers};
use crate::{naming, resources};
use k8s_openapi::api::core::v1::{
    ConfigMapProjection, KeyToPath, PersistentVolumeClaim, PersistentVolumeClaimSpec, PodTemplateSpec,
    SecretProjection, VolumeProjection, VolumeResourceRequirements,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::Value;
use std::collections::BTreeMap;
use urutau_core::{Invalid, Names, render_part};

/// Readable by its owner alone; the Pod's group is let in where it is mounted.
const SECRET_MODE: i32 = 0o400;

/// `pipeline.yaml`: the document as it was given.
pub(super) fn document(spec: &CDCPipelineSpec) -> Result<BTreeMap<String, String>, Invalid> {
    let document = spec.definition.inline.as_ref().map_or(&Value::Null, |inline| inline.as_json());
    Ok(BTreeMap::from([("pipeline.yaml".to_owned(), yaml(document)?)]))
}

/// The template of each table's workers.
pub(super) fn templates(pipeline: &Pipeline<'_>, image: &str) -> Result<BTreeMap<String, String>, Invalid> {
    let spec = &pipeline.checked.pipeline.spec;
    let names = Names::new(pipeline.owner, pipeline.namespace, pipeline.owner);
    let boot = match &pipeline.secrets.missing {
        Some(_) => None,
        None => pipeline
            .secrets
            .of_worker()
            .fold(None, |boot: Option<Boot>, secret| Some(boot.unwrap_or_default().secret(secret))),
    };
    let boot = boot.map(Boot::hash);
    let template = |(table, workers): (&Table, &TableWorkers)| {
        let template = WorkerPod {
            labels: selector(pipeline.owner, "worker"),
            boot: boot.clone(),
            elastic: workers.stateful_set().map(|_| IS_ELASTIC.to_owned()),
            index: workers.stateful_set().map(|_| PodIndex),
            pod: Hardened,
            container: HardenedContainer,
            credentials: Credentials::of(&spec.secrets),
            image: image.to_owned(),
            args: args::of_worker(pipeline),
            resources: resources::of_worker(&spec.worker, table),
            files: spec.coordinator.tls.as_ref().map(|tls| WorkerFiles { secret: tls.client_secret.clone() }),
        };
        let rendered = render_part::<PodTemplateSpec, _>(&template, &names)?;
        Ok((workers.template.clone(), yaml(&rendered)?))
    };
    pipeline.checked.document.tables.iter().zip(&pipeline.checked.workers).map(template).collect()
}

/// Whether the operator wrote a `ConfigMap` for this pipeline before.
pub(super) fn exists(pipeline: &CDCPipeline) -> bool {
    pipeline.status.iter().flat_map(|status| &status.common.owned).any(|record| record.kind == "ConfigMap")
}

/// What is mounted at `/etc/urutau`: the document with the templates, the key for the tunnel, and those for TLS.
pub(super) fn of_coordinator(owner: &str, spec: &CDCPipelineSpec) -> Vec<VolumeProjection> {
    let config = ConfigMapProjection { name: naming::coordinator(owner), ..ConfigMapProjection::default() };
    let mut files = vec![VolumeProjection { config_map: Some(config), ..VolumeProjection::default() }];
    if let Some(ssh) = &spec.secrets.ssh {
        files.push(secret(ssh, "ssh", &["privateKey"]));
    }
    if let Some(tls) = &spec.coordinator.tls {
        files.push(secret(&tls.server_secret, "tls", &["tls.crt", "tls.key", "ca.crt"]));
    }
    files
}

fn secret(name: &str, folder: &str, keys: &[&str]) -> VolumeProjection {
    let item =
        |key: &&str| KeyToPath { key: (*key).to_owned(), mode: Some(SECRET_MODE), path: format!("{folder}/{key}") };
    VolumeProjection {
        secret: Some(SecretProjection {
            name: name.to_owned(),
            items: Some(keys.iter().map(item).collect()),
            optional: None,
        }),
        ..VolumeProjection::default()
    }
}

/// The claim on which the coordinator keeps its key ranges.
pub(super) fn claim(state: &State) -> PersistentVolumeClaim {
    PersistentVolumeClaim {
        metadata: ObjectMeta { name: Some("state".to_owned()), ..ObjectMeta::default() },
        spec: Some(PersistentVolumeClaimSpec {
            access_modes: Some(vec!["ReadWriteOnce".to_owned()]),
            resources: Some(VolumeResourceRequirements {
                requests: Some(BTreeMap::from([("storage".to_owned(), state.size.into())])),
                limits: None,
            }),
            storage_class_name: state.storage_class_name.clone(),
            ..PersistentVolumeClaimSpec::default()
        }),
        status: None,
    }
}

/// Text that is the same whenever the value is.
fn yaml(value: &Value) -> Result<String, Invalid> {
    serde_saphyr::to_string(value)
        .map_err(|error| Invalid::new("spec.definition.inline", format!("can't be written as YAML: {error}")))
}
