//! What KEDA is asked to do for an elastic table.

use super::settings::Autoscaling;
use crate::naming;
use crate::workers::ElasticSet;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use urutau_core::{Kind, OwnedResource};

/// KEDA's `ScaledObject`, as far as we write it. See <https://keda.sh/docs/latest/reference/scaledobject-spec/>.
#[derive(CustomResource, Kind, Clone, Debug, PartialEq, Deserialize, JsonSchema, Serialize)]
#[kube(group = "keda.sh", version = "v1alpha1", kind = "ScaledObject", namespaced)]
#[serde(rename_all = "camelCase")]
pub struct ScaledObjectSpec {
    /// What is scaled.
    pub scale_target_ref: ScaleTarget,
    /// The fewest replicas.
    pub min_replica_count: i32,
    /// The most replicas.
    pub max_replica_count: i32,
    /// By what the number of replicas is decided.
    pub triggers: Vec<Trigger>,
}

/// What a `ScaledObject` scales.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScaleTarget {
    /// The group and version of its kind.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
}

/// By what a number of replicas is decided.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema, Serialize)]
pub struct Trigger {
    /// Which of KEDA's scalers it is.
    #[serde(rename = "type")]
    pub type_: String,
    /// What that scaler is told.
    pub metadata: BTreeMap<String, String>,
}

/// Lets KEDA decide how many workers an elastic table has. The `StatefulSet` that it scales is the coordinator's.
#[derive(OwnedResource)]
#[owned(ScaledObject, name = "{set}")]
#[set(spec.scale_target_ref { api_version = "apps/v1", kind = "StatefulSet", name = "{set}" })]
pub struct TableScaler {
    /// The name of the `StatefulSet`.
    pub set: String,
    /// The fewest workers.
    #[at(spec.min_replica_count)]
    pub min: i32,
    /// The most workers.
    #[at(spec.max_replica_count)]
    pub max: i32,
    /// By what the number of workers is decided.
    #[at(spec.triggers)]
    pub triggers: Vec<Trigger>,
}

impl TableScaler {
    /// Scales by the batches of a table that its coordinator has not handed out yet.
    pub(super) fn new(set: &ElasticSet, table: &str, owner: &str, namespace: &str, autoscaling: &Autoscaling) -> Self {
        let labels = [("namespace", namespace), ("pod", &naming::coordinator_pod(owner)), ("table", table)]
            .map(|(label, value)| format!("{label}=\"{}\"", escaped(value)))
            .join(",");
        let told = [
            ("serverAddress", autoscaling.prometheus.clone()),
            ("threshold", autoscaling.threshold.clone()),
            ("query", format!("sum(urutau_coordinator_pending_batches{{{labels}}})")),
        ];
        let metadata = told.map(|(key, value)| (key.to_owned(), value)).into();
        // Both are at most `naming::MOST_WORKERS`.
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            set: set.name.clone(),
            min: count(set.min),
            max: count(set.max),
            triggers: vec![Trigger { type_: "prometheus".to_owned(), metadata }],
        }
    }
}

/// The value of a label as it stands between quotes in a query.
fn escaped(value: &str) -> String {
    value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn values_of_labels_stay_values() {
        assert_eq!(escaped("raw.orders"), "raw.orders");
        assert_eq!(escaped("a\"} or vector(1) #\\\n"), "a\\\"} or vector(1) #\\\\\\n");
    }
}
