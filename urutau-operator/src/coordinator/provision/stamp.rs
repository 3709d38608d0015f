//! From the template of a table to a workload of its own: nothing is added but the name that the worker is told, the
//! owner, and the label by which a workload finds its Pods.

use crate::workers::ElasticSet;
use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec, DeploymentStrategy, StatefulSet, StatefulSetSpec};
use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta, OwnerReference};
use std::collections::BTreeMap;

/// The label by which a workload finds its Pods: the name of the workload.
pub(crate) const WORKER: &str = "urutau.io/worker";
/// The container that is told its name.
const CONTAINER: &str = "worker";

/// The Deployment of one worker group. It never has two Pods at a time: both would go by one name.
pub(super) fn deployment(template: &PodTemplateSpec, group: &str, owner: OwnerReference) -> Deployment {
    Deployment {
        metadata: metadata(template, group, owner),
        spec: Some(DeploymentSpec {
            replicas: Some(1),
            strategy: Some(DeploymentStrategy { type_: Some("Recreate".to_owned()), rolling_update: None }),
            selector: selector(group),
            template: stamped(template, group, group),
            ..DeploymentSpec::default()
        }),
        status: None,
    }
}

/// The `StatefulSet` of an elastic table, with the replicas that it begins with.
pub(super) fn stateful_set(template: &PodTemplateSpec, set: &ElasticSet, owner: OwnerReference) -> StatefulSet {
    StatefulSet {
        metadata: metadata(template, &set.name, owner),
        spec: Some(StatefulSetSpec {
            // At most `naming::MOST_WORKERS`.
            replicas: Some(i32::try_from(set.min).unwrap_or(i32::MAX)),
            pod_management_policy: Some("Parallel".to_owned()),
            selector: selector(&set.name),
            template: stamped(template, &set.name, &set.name_argument()),
            ..StatefulSetSpec::default()
        }),
        status: None,
    }
}

fn metadata(template: &PodTemplateSpec, name: &str, owner: OwnerReference) -> ObjectMeta {
    let labels = template.metadata.as_ref().and_then(|metadata| metadata.labels.clone()).unwrap_or_default();
    ObjectMeta {
        name: Some(name.to_owned()),
        labels: Some(labelled(labels, name)),
        owner_references: Some(vec![owner]),
        ..ObjectMeta::default()
    }
}

fn selector(name: &str) -> LabelSelector {
    LabelSelector { match_labels: Some(labelled(BTreeMap::new(), name)), match_expressions: None }
}

fn labelled(mut labels: BTreeMap<String, String>, name: &str) -> BTreeMap<String, String> {
    labels.insert(WORKER.to_owned(), name.to_owned());
    labels
}

/// The template with the label of its workload, and the name that its worker is told.
fn stamped(template: &PodTemplateSpec, workload: &str, name: &str) -> PodTemplateSpec {
    let mut template = template.clone();
    let metadata = template.metadata.get_or_insert_default();
    metadata.labels = Some(labelled(metadata.labels.take().unwrap_or_default(), workload));
    let containers = template.spec.iter_mut().flat_map(|spec| &mut spec.containers);
    for worker in containers.filter(|container| container.name == CONTAINER) {
        worker.args.get_or_insert_default().extend(["--name".to_owned(), name.to_owned()]);
    }
    template
}
